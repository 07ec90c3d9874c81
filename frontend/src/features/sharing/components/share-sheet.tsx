/** Who may read a topic or a view: everyone, people and groups, whoever has a link; and who has it now. */
import { useTranslation } from "react-i18next";
import { Sheet } from "@/components/sheet";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import type { Subject } from "../api/shares";
import { CompanySwitch } from "./company-switch";
import { NewLink } from "./new-link";
import { ShareList } from "./share-list";
import { SharePicker } from "./share-picker";
import { useSharing } from "./use-sharing";

type Props = { subject: Subject; onClose: () => void };

export function ShareSheet({ subject, onClose }: Props) {
  const { t } = useTranslation();
  const sharing = useSharing(subject);
  const trouble = sharing.trouble ?? sharing.failed;
  return (
    <Sheet title={t(`share.${subject.kind}.title`)} className="share" onClose={onClose}>
      <p className="small-text muted">{t(`share.${subject.kind}.lead`)}</p>
      <CompanySwitch sharing={sharing} />
      <SharePicker sharing={sharing} />
      <NewLink sharing={sharing} />
      <Trouble text={trouble ? problemText(trouble, t) : null} />
      <ShareList sharing={sharing} />
    </Sheet>
  );
}
