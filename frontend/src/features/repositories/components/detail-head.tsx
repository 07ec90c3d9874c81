/** The chosen repository's name, and what an administrator can do with it at once. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { cancelIndexing } from "../api/cancel-indexing";
import { indexRepository } from "../api/index-repository";
import { stateOf } from "../words/state";
import { GrantsDialog } from "./grants-dialog";
import { Status } from "./status";
import { useChange } from "./use-change";

function Acts({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const [granting, setGranting] = useState(false);
  const index = useChange(indexRepository);
  const cancel = useChange(cancelIndexing);
  const state = stateOf(repository);
  const busy = state === "indexing" || state === "waiting";
  return (
    <>
      {busy ? (
        <button
          type="button"
          className="button small-button stop"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate(repository.id)}
        >
          <Icon name="stop" />
          {t("repositories.cancel")}
        </button>
      ) : (
        <button
          type="button"
          className="button small-button"
          disabled={index.isPending}
          onClick={() => index.mutate(repository.id)}
        >
          <Icon name="again" />
          {t("repositories.indexNow")}
        </button>
      )}
      <button type="button" className="button small-button" onClick={() => setGranting(true)}>
        {t("repositories.grants")}
      </button>
      {granting && <GrantsDialog repository={repository} onClose={() => setGranting(false)} />}
      <Trouble text={index.trouble ?? cancel.trouble} />
    </>
  );
}

export function DetailHead({ repository }: { repository: Repository }) {
  return (
    <div className="row wrap detail-head">
      <h2 className="grow">{repository.name}</h2>
      {repository.may_manage ? (
        <Acts repository={repository} />
      ) : (
        <Status repository={repository} />
      )}
    </div>
  );
}
