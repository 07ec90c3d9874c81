/** Named views of this tape: opened by a press, one's own deleted by the cross beside it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { NamedView, TapeDetail } from "@/api/types";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { deleteView } from "../api/delete-view";
import { viewsQuery } from "../api/list-views";
import { useTape } from "./tape-context";
import { useTapeAct } from "./use-tape-act";

function isOf(tape: TapeDetail, part: NamedView["parts"][number]): boolean {
  return part.tape === tape.id || tape.topics.some((topic) => topic.id === part.topic);
}

type Props = { open: number | undefined; onOpen: (id: number | undefined) => void };

export function ViewsMenu({ open, onOpen }: Props) {
  const { t } = useTranslation();
  const { tape } = useTape();
  const { data = [] } = useQuery(viewsQuery);
  const views = data.filter((view) => view.parts.some((part) => isOf(tape, part)));
  const remove = useTapeAct(deleteView);
  if (data.length === 0) return null;
  return (
    <section className="named-views" aria-labelledby="views-title">
      <h2 className="section-title" id="views-title">
        {t("views.title")}
      </h2>
      <ul>
        {views.map((view) => (
          <li key={view.id} className="row">
            <button
              type="button"
              className="grow"
              aria-current={view.id === open ? "true" : undefined}
              dir="auto"
              onClick={() => onOpen(view.id)}
            >
              {view.name}
            </button>
            {view.mine && (
              <button
                type="button"
                className="icon-button"
                aria-label={t("views.delete", { name: view.name })}
                disabled={remove.isPending}
                onClick={() =>
                  remove.mutate(view.id, { onSuccess: () => view.id === open && onOpen(undefined) })
                }
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <Link className="quiet small-text" to="/views">
        {t("views.all")}
      </Link>
      <Trouble text={remove.trouble} />
    </section>
  );
}
