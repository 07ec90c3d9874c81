/** The generated types are those of docs/openapi.json as it stands. */
import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const kept = readFileSync("src/api/generated/schema.ts", "utf8");
const fresh = astToString(await openapiTS(new URL("../../docs/openapi.json", import.meta.url)));

if (!kept.includes(fresh.trim())) {
  console.error(
    "src/api/generated/schema.ts is not what docs/openapi.json says; run: npm run types",
  );
  process.exit(1);
}
console.log("API types match docs/openapi.json");
