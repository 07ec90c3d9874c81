/** Sending a question: one idempotency key per press, kept for repeats of a press that failed. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Asked, Question } from "@/api/types";
import { ask } from "../api/ask";

export function useAsking(onAsked: (asked: Asked) => void) {
  const cache = useQueryClient();
  const unanswered = useRef<{ body: string; key: string } | null>(null);
  return useMutation({
    mutationFn: (question: Question) => {
      const body = JSON.stringify(question);
      if (unanswered.current?.body !== body) {
        unanswered.current = { body, key: crypto.randomUUID() };
      }
      return ask(question, unanswered.current.key);
    },
    onSuccess: (asked) => {
      unanswered.current = null;
      for (const queryKey of [["topics"], ["preview"], ["topic", asked.topic.id]]) {
        void cache.invalidateQueries({ queryKey });
      }
      onAsked(asked);
    },
  });
}
