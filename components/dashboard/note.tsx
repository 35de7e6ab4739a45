'use client';

import { useId, useState } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';

/** A note of one's own on a receipt, which nobody else sees. */
export function Note({ receiptId, label }: { receiptId: string; label: string | null }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState(label ?? '');
  const form = useId();
  const utils = api.useUtils();
  const save = api.dashboard.setLabel.useMutation({
    onSuccess: async () => {
      setOpen(false);
      await utils.dashboard.rows.invalidate();
    },
  });
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-label={
          label ? `Note ${label} on ${receiptId}, change it` : `Add a note on ${receiptId}`
        }
        onClick={() => {
          setText(label ?? '');
          save.reset();
          setOpen(true);
        }}
      >
        {label ?? 'Add'}
      </Button>
      <Dialog
        open={open}
        title={`Note on ${receiptId}`}
        onClose={() => setOpen(false)}
        actions={
          <Button variant="primary" type="submit" form={form} busy={save.isPending}>
            Save
          </Button>
        }
      >
        <form
          id={form}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate({ receipt_id: receiptId, label: text });
          }}
        >
          <Field
            label="Your note"
            help="For you alone: it is in your dashboard and its CSV, and in nothing public. Leave it empty to take it away."
            maxLength={64}
            value={text}
            error={save.error ? failureOf(save.error).message : null}
            onChange={({ target }) => setText(target.value)}
          />
        </form>
      </Dialog>
    </>
  );
}
