// Counts over all runners. A runner that crashes or finds no test counts as one failure.
import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @type {(passed: number, failed: number, skipped: number) => Counts} */
const counts = (passed, failed, skipped) => ({ passed, failed, skipped });
export const onePassed = counts(1, 0, 0);
export const oneFailed = counts(0, 1, 0);

/** @param {Counts[]} all @returns {Counts} */
export const sum = (all) =>
  all.reduce((a, b) => counts(a.passed + b.passed, a.failed + b.failed, a.skipped + b.skipped), counts(0, 0, 0));

/**
 * The counts a runner wrote, held against its exit code: an exit code that says failure while the counts say none
 * (a crash, a file that does not load) adds one failure, and so does a run without a single test.
 *
 * @param {Counts | undefined} written
 * @param {number | null} code
 * @returns {Counts}
 */
export function judge(written, code) {
  if (!written) return oneFailed;
  const { passed, failed, skipped } = written;
  const silent = failed === 0 && (code !== 0 || passed + skipped === 0);
  return silent ? counts(passed, 1, skipped) : written;
}

/** @param {string} file a report of vitest's JSON reporter */
export function readVitest(file) {
  if (!existsSync(file)) return undefined;
  const report = JSON.parse(readFileSync(file, "utf8"));
  // A file that does not load has no tests that could fail; count the file.
  const unloaded = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ result) =>
      result.status === "failed" && result.assertionResults.length === 0,
  ).length;
  return counts(report.numPassedTests, report.numFailedTests + unloaded, report.numPendingTests + report.numTodoTests);
}

/** @param {string} file a JUnit report of ctest; one test case per GoogleTest case */
export function readJUnit(file) {
  if (!existsSync(file)) return undefined;
  const statuses = [...readFileSync(file, "utf8").matchAll(/<testcase\b[^>]*\bstatus="([^"]*)"/g)].map((m) => m[1]);
  const passed = statuses.filter((status) => status === "run").length;
  const skipped = statuses.filter((status) => status === "notrun" || status === "disabled").length;
  return counts(passed, statuses.length - passed - skipped, skipped);
}
