/** Asks before a repository goes, and says what goes with it. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { removeRepository } from "../api/remove-repository";
import { useChange } from "./use-change";

type Props = { repository: Repository; onClose: () => void; onRemoved: () => void };

export function RemoveDialog({ repository, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const remove = useChange(removeRepository, () => {
    onClose();
    onRemoved();
  });
  return (
    <ConfirmDialog
      title={t("repositories.removeTitle", { name: repository.name })}
      text={t("repositories.removeHint")}
      act={t("repositories.remove")}
      busy={remove.isPending}
      trouble={remove.trouble}
      onConfirm={() => remove.mutate(repository.id)}
      onClose={onClose}
    />
  );
}
