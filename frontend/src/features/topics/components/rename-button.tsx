/** Gives a topic another title; the tape keeps the old one. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Topic } from "@/api/types";
import { FormField } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { Icon } from "@/components/icon";
import { problemText } from "@/lib/problems";
import { renameTopic } from "../api/rename-topic";

type Named = Pick<Topic, "id" | "title">;

function RenameSheet({ topic, onClose }: { topic: Named; onClose: () => void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [title, setTitle] = useState(topic.title);
  const rename = useMutation({
    mutationFn: renameTopic,
    onSuccess: () => {
      for (const queryKey of [["topic", topic.id], ["topics"]]) {
        void cache.invalidateQueries({ queryKey });
      }
      onClose();
    },
  });
  return (
    <FormSheet
      title={t("topics.renameTitle")}
      act={t("topics.renameAct")}
      disabled={rename.isPending || !title.trim()}
      onSubmit={() => rename.mutate({ id: topic.id, title })}
      onClose={onClose}
    >
      <FormField
        label={t("topics.newTitle")}
        hint={t("topics.renameHint")}
        trouble={rename.error ? problemText(rename.error, t) : null}
        value={title}
        maxLength={200}
        autoFocus
        onChange={(event) => setTitle(event.target.value)}
      />
    </FormSheet>
  );
}

export function RenameButton({ topic }: { topic: Named }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t("topics.rename", { title: topic.title })}
        onClick={() => setOpen(true)}
      >
        <Icon name="pen" />
      </button>
      {open && <RenameSheet topic={topic} onClose={() => setOpen(false)} />}
    </>
  );
}
