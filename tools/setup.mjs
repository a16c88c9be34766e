// npm run setup: brings everything the builds need. `-- --test` brings what the tests need too.
import { setUp } from "./setup/index.mjs";
import { main } from "./setup/stage.mjs";

await main(() => setUp({ native: true, test: process.argv.includes("--test") }));
