'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useErrorWords } from '../use-error-words';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';

/** A note of one's own on a receipt, which nobody else sees. */
export function Note({ receiptId, label }: { receiptId: string; label: string | null }) {
  const t = useTranslations('dashboard');
  // How often the dialog was opened. A table has many rows, so none has a dialog before it is asked for.
  const [openings, setOpenings] = useState(0);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-label={
          label === null
            ? t('note.add', { id: receiptId })
            : t('note.change', { note: label, id: receiptId })
        }
        onClick={() => {
          setOpenings(openings + 1);
          setOpen(true);
        }}
      >
        {label === null ? t('note.addShort') : <bdi>{label}</bdi>}
      </Button>
      {openings > 0 ? (
        <NoteDialog
          key={openings}
          receiptId={receiptId}
          label={label}
          open={open}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

type NoteDialogProps = {
  receiptId: string;
  label: string | null;
  open: boolean;
  onClose: () => void;
};

function NoteDialog({ receiptId, label, open, onClose }: NoteDialogProps) {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const [text, setText] = useState(label ?? '');
  const form = useId();
  const utils = api.useUtils();
  const save = api.dashboard.setLabel.useMutation({
    onSuccess: async () => {
      onClose();
      await utils.dashboard.rows.invalidate();
    },
  });
  return (
    <Dialog
      open={open}
      title={t('note.title', { id: receiptId })}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={form} busy={save.isPending}>
          {t('note.save')}
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
          label={t('note.label')}
          help={t('note.help')}
          maxLength={64}
          value={text}
          error={save.error ? words(failureOf(save.error)) : null}
          onChange={({ target }) => setText(target.value)}
        />
      </form>
    </Dialog>
  );
}
