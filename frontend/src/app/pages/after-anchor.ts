/** The anchor a question is asked from: its seq is in the address, its name on the tape. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { anchorsQuery } from "@/features/tape/api/get-anchors";
import { anchorWords } from "@/features/tape/words/anchor-words";

export function useAfterAnchor(tape: number | undefined, seq: number | undefined) {
  const { t } = useTranslation();
  const wanted = tape !== undefined && seq !== undefined;
  const { data: anchors } = useQuery({ ...anchorsQuery(tape ?? 0), enabled: wanted });
  if (seq === undefined || tape === undefined) return {};
  const anchor = anchors?.find((each) => each.seq === seq);
  const name = anchor ? anchorWords(anchor.name, anchor.state, t) : "…";
  return { after: { seq, name } };
}
