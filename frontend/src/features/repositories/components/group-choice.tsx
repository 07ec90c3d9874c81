/** Groups to tick, each with how many people belong to it. */
import { useTranslation } from "react-i18next";
import type { Group } from "@/api/types";

type Props = { groups: Group[]; chosen: number[]; onChange: (chosen: number[]) => void };

export function GroupChoice({ groups, chosen, onChange }: Props) {
  const { t } = useTranslation();
  const toggle = (id: number) =>
    onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset className="group-choice">
      <legend>{t("repositories.groups")}</legend>
      {groups.map((group) => (
        <label key={group.id} className="menu-item">
          <input
            type="checkbox"
            checked={chosen.includes(group.id)}
            onChange={() => toggle(group.id)}
          />
          <span className="grow ellipsis" dir="auto">
            {group.name}
          </span>
          <span className="small muted">{t("repositories.people", { count: group.people })}</span>
        </label>
      ))}
      {groups.length === 0 && <p className="small muted">{t("repositories.noGroups")}</p>}
    </fieldset>
  );
}
