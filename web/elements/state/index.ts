export * from "../../draw/cursor.ts";
export * from "./asked.ts";
export * from "./frames.ts";
export * from "./history.ts";
export * from "./link.ts";
export * from "./model.ts";
export * from "./reducer.ts";
