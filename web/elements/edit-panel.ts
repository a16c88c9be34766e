// The panel for editing: undo, the words, and all matrices that were given.

import { html, type TemplateResult } from "lit";
import { matrixTable, type TableUse } from "../draw/matrix.ts";
import type { Span } from "../draw/pages.ts";
import { inputPicture } from "../draw/picture.ts";
import type { Strings } from "../strings/index.ts";
import { pushButton } from "./controls.ts";
import type { Desk } from "./desk.ts";
import { exampleModel, exampleNames } from "./examples.ts";
import { extrasPanel } from "./extras-panel.ts";
import type { MaskPanel } from "./mask-panel.ts";
import { type Paging, pagedSides } from "./paging.ts";
import { removalsPanel } from "./removals.ts";
import { settingsPanel } from "./settings-panel.ts";
import { isSelf, MOST_WORDS, sideOf } from "./state/index.ts";

/** Words as typed: blanks separate, a JSON string in quotes is one word with its blanks. */
function typedWords(text: string): string[] {
  if (text.trim().startsWith("[")) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list) && list.every((word) => typeof word === "string")) return list;
    } catch {
      // Not a list after all: read as words.
    }
  }
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)].map(([word]) => {
    if (!word.startsWith('"')) return word;
    try {
      return String(JSON.parse(word));
    } catch {
      return word;
    }
  });
}

const writtenWord = (word: string) => (/^\S+$/.test(word) ? word : JSON.stringify(word));

/** An example to go on with. What is there now can be had back by undo. */
function exampleChoice(desk: Desk): TemplateResult {
  const strings = desk.strings();
  const now = JSON.stringify(desk.state()?.model);
  const onChange = (event: Event) => {
    const model = exampleModel((event.target as HTMLSelectElement).value);
    if (model) desk.act({ type: "model", model });
  };
  const choices = exampleNames.map((name) => ({ name, isNow: JSON.stringify(exampleModel(name)) === now }));
  const isOwn = choices.every(({ isNow }) => !isNow);
  return html`<label class="choice">${strings.text("edit.example")}<select @change=${onChange}>
      ${isOwn ? html`<option value="" selected>${strings.text("edit.exampleOwn")}</option>` : ""}${choices.map(
        ({ name, isNow }) => html`<option value=${name} ?selected=${isNow}>${exampleTitle(strings, name)}</option>`,
      )}</select></label>`;
}

/** What an example is about; its name where no language has a word for it. */
function exampleTitle(strings: Strings, name: string): string {
  const key = `example.${name}`;
  return strings.has(key) ? strings.text(key) : name;
}

/** The panel. `useOf` says what the reader does to a table. */
export function editPanel(
  desk: Desk,
  mask: MaskPanel,
  paging: Paging,
  useOf: (table: string, down: Span, across: Span) => TableUse,
): TemplateResult {
  const scene = desk.scene();
  const state = desk.state();
  if (!scene || !state) return html``;
  const { strings } = scene;
  const words = (side: "q" | "kv", label: string) =>
    html`<label>${label}<input name=${side} type="text" autocomplete="off" spellcheck="false"
        .value=${sideOf(state.model, side).words.map(writtenWord).join(" ")} /></label>`;
  const onWords = (event: Event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = [...form.querySelectorAll<HTMLInputElement>("input")];
    const lists = fields.map((field) => typedWords(field.value));
    const refusals = lists.map((words, i) =>
      words.length > MOST_WORDS
        ? strings.text("error.words", {
            name: fields[i]?.labels?.[0]?.textContent?.trim() ?? "",
            found: words.length,
            most: MOST_WORDS,
          })
        : "",
    );
    fields.forEach((field, i) => {
      field.setAttribute("aria-invalid", String(Boolean(refusals[i])));
    });
    const refusal = refusals.filter(Boolean).join(" ");
    const note = form.querySelector<HTMLElement>(".refusal");
    if (note) note.textContent = refusal;
    if (refusal) {
      desk.say(refusal);
      fields[refusals.findIndex(Boolean)]?.focus();
      return;
    }
    const [q = [], kv = q] = lists;
    desk.act({ type: "bothWords", q, kv });
  };
  return html`<div class="band edits" role="group" aria-label=${strings.text("edit.title")}><div class="tools"><p class="heading">${strings.text("edit.title")}</p>
        ${pushButton(strings, "undo", state.past.length === 0)}${pushButton(strings, "redo", state.future.length === 0)}
        ${pushButton(strings, "reset", false)}</div>
      ${exampleChoice(desk)}<p class="hint">${strings.text("edit.hint")}</p>
      <form @submit=${onWords}>${
        isSelf(state.model)
          ? words("q", strings.text("edit.wordsSelf"))
          : html`${words("q", strings.text("edit.wordsQ"))}${words("kv", strings.text("edit.wordsKv"))}`
      }<button class="push" type="submit">${strings.text("edit.apply")}</button><p class="refusal"></p></form>
      <p class="hint">${strings.text("edit.wordsNote")}</p>
      <div class="inputs">${[...(scene.editable ?? [])].map((name) => {
        const matrix = inputPicture(scene, name);
        const isNameless = matrix.rowLabels[0]?.kind === "f";
        const use = useOf(`input:${name}`, matrix.down, matrix.across);
        return html`<div class="corner${isNameless ? " nameless" : ""}" dir="ltr">${matrixTable(matrix, use)}${paging.controls(pagedSides([matrix]))}</div>`;
      })}</div>${extrasPanel(desk)}
      <div role="group" aria-label=${strings.text("edit.settings")}><p class="heading">${strings.text("edit.settings")}</p>${settingsPanel(desk)}</div>
      ${removalsPanel(desk)}${mask.render()}</div>`;
}
