/** Who may read a topic: everyone, people and groups, whoever has a link; and who has it now. */
import { useTranslation } from "react-i18next";
import { Sheet } from "@/components/sheet";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { CompanySwitch } from "./company-switch";
import { NewLink } from "./new-link";
import { ShareList } from "./share-list";
import { SharePicker } from "./share-picker";
import { useSharing } from "./use-sharing";

type Props = { topic: number; onClose: () => void };

export function ShareSheet({ topic, onClose }: Props) {
  const { t } = useTranslation();
  const sharing = useSharing(topic);
  const trouble = sharing.trouble ?? sharing.failed;
  return (
    <Sheet title={t("share.title")} className="share" onClose={onClose}>
      <p className="small-text muted">{t("share.lead")}</p>
      <CompanySwitch topic={topic} sharing={sharing} />
      <SharePicker topic={topic} sharing={sharing} />
      <NewLink topic={topic} sharing={sharing} />
      <Trouble text={trouble ? problemText(trouble, t) : null} />
      <ShareList topic={topic} sharing={sharing} />
    </Sheet>
  );
}
