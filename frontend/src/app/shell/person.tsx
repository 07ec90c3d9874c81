/** Who is signed in, with their roles, and the way out. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { meQuery } from "@/features/session/api/get-me";
import { SignOutButton } from "./sign-out-button";

/** 林 for 林悦, LY for Lin Yue. */
function initials(name: string): string {
  if (/\p{Script=Han}/u.test(name)) return name.slice(0, 1);
  const words = name.split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join("");
}

export function Person() {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  // Everyone is a member: only what someone is beyond that is worth a word.
  const roles = me.roles.filter((role) => role !== "member").map((role) => t(`roles.${role}`));
  return (
    <div className="person">
      <span className="face" aria-hidden="true">
        {initials(me.display_name)}
      </span>
      <div className="grow">
        <div className="ellipsis" dir="auto">
          {me.display_name}
        </div>
        <div className="small muted dotted">
          {(roles.length > 0 ? roles : [me.username]).map((each) => (
            <span key={each}>{each}</span>
          ))}
        </div>
      </div>
      <SignOutButton />
    </div>
  );
}
