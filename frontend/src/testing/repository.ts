/** A repository as the server tells of it, with what a test says of it. */
import type { Repository } from "@/api/types";

export function aRepository(said: Partial<Repository>): Repository {
  return {
    id: 1,
    name: "billing",
    description: { zh: "收款、退款、清算", en: "Charges, refunds, settlement" },
    draft: false,
    status: "fresh",
    branches: [],
    default_branch: "main",
    files: 1842,
    symbols: 8113,
    skipped: 750,
    chunks: 9000,
    repo_at_1: 0.94,
    error: "",
    error_code: "",
    answers: "readers",
    schedule_minutes: 60,
    source: null,
    groups: [{ id: 3, name: "支付组", people: 18 }],
    readable: true,
    may_manage: true,
    webhook: false,
    run: null,
    ...said,
  };
}
