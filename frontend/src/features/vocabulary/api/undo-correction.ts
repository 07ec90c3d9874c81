import { api } from "@/api/client";

/** Takes a correction back: what was mined counts again. */
export function undoCorrection(correction: number) {
  return api.DELETE("/api/vocabulary/{correction_id}", {
    params: { path: { correction_id: correction } },
  });
}
