/** What a press will do, before it is pressed. */
import { Trans, useTranslation } from "react-i18next";
import type { Preview } from "@/api/types";
import { Icon } from "@/components/icon";

type Choice = { on: boolean; set: (on: boolean) => void };

type Props = {
  preview: Preview | undefined;
  keepOpen: Choice;
  joining: Choice;
  own: boolean;
};

function Switch({ choice, label }: { choice: Choice; label: string }) {
  return (
    <button type="button" className="text-button" onClick={() => choice.set(!choice.on)}>
      {label}
    </button>
  );
}

function GoingOn({ preview, own }: { preview: Preview; own: boolean }) {
  const { t } = useTranslation();
  if (own) return t("preview.continues");
  return t(preview.closes ? "preview.goesOnAndFinishes" : "preview.goesOn", {
    title: preview.closes?.title,
  });
}

function Words({ preview, keepOpen, joining, own }: Props & { preview: Preview }) {
  const { t } = useTranslation();
  if (preview.does === "continue") return <GoingOn preview={preview} own={own} />;
  if (preview.does === "join_or_wait") {
    return (
      <>
        {joining.on ? t("preview.joins") : t("preview.waits")}{" "}
        <Switch
          choice={joining}
          label={joining.on ? t("preview.waitInstead") : t("preview.joinInstead")}
        />
      </>
    );
  }
  if (preview.closes) {
    return (
      <>
        <Trans
          i18nKey="preview.startsAndFinishes"
          values={{ title: preview.closes.title }}
          components={{ title: <b dir="auto" /> }}
        />{" "}
        <Switch choice={keepOpen} label={t("preview.keepOpen")} />
      </>
    );
  }
  if (keepOpen.on) {
    return (
      <>
        {t("preview.startsBeside")} <Switch choice={keepOpen} label={t("preview.finishIt")} />
      </>
    );
  }
  return t("preview.starts");
}

export function Consequence(props: Props) {
  const { preview } = props;
  // A plain follow-up does what everyone expects: nothing to say.
  if (!preview || preview.does === "follow_up") return null;
  return (
    <p className="consequence" id="consequence">
      <Icon name="tape" />
      <span className="grow">
        <Words {...props} preview={preview} />
      </span>
    </p>
  );
}
