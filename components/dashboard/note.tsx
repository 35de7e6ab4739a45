'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { MOST_TYPED } from '../check-entries';
import { refusedFields } from '../refused-fields';
import { useErrorWords } from '../use-error-words';
import { useLabelWords } from '../use-label-words';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { useFocusRefused } from '../ui/use-focus-refused';

type NoteProps = { wallet: string; receiptId: string; label: string | null };

/** The seller's private note on a receipt. */
export function Note({ wallet, receiptId, label }: NoteProps) {
  const t = useTranslations('dashboard');
  // Counts how often the dialog was opened. A table has many rows, so a row has no dialog before
  // that.
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
          {...{ wallet, receiptId, label }}
          open={open}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

type NoteDialogProps = NoteProps & { open: boolean; onClose: () => void };

function NoteDialog({ wallet, receiptId, label, open, onClose }: NoteDialogProps) {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const labelWords = useLabelWords();
  const [text, setText] = useState(label ?? '');
  const form = useId();
  const utils = api.useUtils();
  const save = api.dashboard.setLabel.useMutation({
    onSuccess: async () => {
      onClose();
      await utils.dashboard.rows.invalidate();
    },
  });
  const fields = useFocusRefused<HTMLFormElement>(save.error);
  const failure = save.error ? failureOf(save.error) : null;
  const refused = failure ? refusedFields(failure)['label'] : undefined;
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
        ref={fields}
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ wallet, receipt_id: receiptId, label: text });
        }}
      >
        <Field
          label={t('note.label')}
          help={t('note.help')}
          maxLength={MOST_TYPED}
          value={text}
          error={failure && refused === undefined ? words(failure) : labelWords.refused(refused)}
          onValue={setText}
        />
      </form>
    </Dialog>
  );
}
