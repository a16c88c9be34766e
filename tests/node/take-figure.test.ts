// The figure as an SVG file: well-formed, plain, and with the numbers that are shown.

import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { mixed, paletteOf } from "../../web/draw/palette.ts";
import { pictureOf } from "../../web/draw/picture.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { sentenceOf, sentenceText } from "../../web/draw/sentence.ts";
import { figureDrawing } from "../../web/draw/take/figure.ts";
import { stripes } from "../../web/draw/take/hatch.ts";
import type { Drawing } from "../../web/draw/take/shapes.ts";
import { svgText } from "../../web/draw/take/svg.ts";
import { darkTokens, lightTokens } from "../../web/draw/tokens.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { placeText } from "../../web/elements/place.ts";
import { attendInput, LEVELS, type Model } from "../../web/elements/state/index.ts";
import { HOSTILE, randomState, sceneOf, type TakeState } from "./support/take.ts";

const SEED = Number(process.env.LOOM_SEED ?? 4201);

const house = exampleModel("house-4x5") as Model;
const state: TakeState = { name: "house", input: attendInput(house), q: house.tokensQ, kv: house.tokensKv };

function drawingOf(scene: Scene, tokens: Record<string, string> = lightTokens): Drawing {
  return figureDrawing({
    picture: pictureOf(scene),
    strings: scene.strings,
    place: placeText(scene),
    sentence: sentenceOf(scene),
    palette: paletteOf(tokens),
    credit: "whose it is",
  });
}

interface Parsed {
  readonly names: string[];
  readonly attributes: string[];
  readonly texts: string[];
  readonly title: string;
  readonly desc: string;
}

/** Read by another program: Python's XML parser. */
const reader = `
import json, sys, xml.etree.ElementTree as tree
found = []
for text in json.load(sys.stdin):
    root = tree.fromstring(text)
    plain = lambda name: name.split("}")[-1]
    find = lambda name: "".join(next(e for e in root if plain(e.tag) == name).itertext())
    found.append({
        "names": sorted({plain(e.tag) for e in root.iter()}),
        "attributes": sorted({plain(a) for e in root.iter() for a in e.attrib}),
        "texts": ["".join(e.itertext()) for e in root.iter() if plain(e.tag) == "text"],
        "title": find("title"), "desc": find("desc"),
    })
json.dump(found, sys.stdout)
`;
const python = ["/usr/bin/python3", "python3"].find(
  (program) => spawnSync(program, ["-c", "import json"], { stdio: "ignore" }).status === 0,
);
if (python === undefined) console.log("files are not parsed: no python3");

function parse(files: readonly string[]): Parsed[] {
  const { stdout, stderr } = spawnSync(python as string, ["-c", reader], {
    input: JSON.stringify(files),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Parsed[];
}

/** The texts of all cells, as they are drawn. */
const cellsOf = (scene: Scene): string[] =>
  pictureOf(scene)
    .matrices.flatMap(({ cells }) => cells.flatMap((line) => line.map(({ text }) => text)))
    .filter(Boolean);

const PLAIN = /^(svg|title|desc|rect|line|path|text|tspan)$/;
const FORBIDDEN = /var\(|foreignObject|\b(class|style|id|href)=|url\(|<script|<style|NaN|undefined|Infinity/i;

describe("the figure as SVG", () => {
  test.skipIf(python === undefined)("every stage at every level: plain elements, and the numbers shown", () => {
    const scenes = LEVELS.flatMap((level) =>
      sceneOf(state).numbers.trace.stages.map((stage) => sceneOf(state, { stage, level, row: 1, column: 2, term: 1 })),
    );
    const files = scenes.map((scene) => svgText(drawingOf(scene)));
    for (const file of files) expect(file).not.toMatch(FORBIDDEN);
    parse(files).forEach(({ names, texts, title, desc }, i) => {
      const scene = scenes[i] as Scene;
      expect(names.filter((name) => !PLAIN.test(name))).toEqual([]);
      expect(title).toBe(placeText(scene));
      expect(desc).toBe(`${sentenceText(scene)} whose it is`);
      // In their order, with headings and names between them.
      let at = 0;
      for (const cell of cellsOf(scene)) {
        const found = texts.indexOf(cell, at);
        expect(found, `${cell} in ${texts.slice(at).join(" | ")}`).toBeGreaterThanOrEqual(at);
        at = found + 1;
      }
      const isNumber = (text: string) => /^−?\d[\d.]*$/.test(text);
      const headings = pictureOf(scene).matrices.flatMap(({ rowLabels, columnLabels }) => [
        ...rowLabels,
        ...columnLabels,
      ]);
      // The sentence comes last, and may end in a line that is a number.
      const count = texts.slice(0, at).filter(isNumber).length - cellsOf(scene).filter(isNumber).length;
      expect(count).toBeLessThanOrEqual(headings.filter(({ text }) => isNumber(text)).length);
    });
  });

  test.skipIf(python === undefined)(`30 random states with hostile words are well-formed (seed ${SEED})`, () => {
    const scenes = Array.from({ length: 30 }, (_, i) => {
      const random = randomState(SEED + i);
      const { trace } = sceneOf(random).numbers;
      const stage = trace.stages[i % trace.stages.length] as string;
      return sceneOf(random, { stage, level: LEVELS[i % 4] ?? "stage" });
    });
    const files = scenes.map((scene) => svgText(drawingOf(scene, darkTokens)));
    for (const file of files) {
      expect(file.replace(/>[^<]*</g, "><")).not.toMatch(FORBIDDEN);
      expect(file).not.toMatch(/\p{Bidi_Control}|\p{Cs}/u);
    }
    expect(parse(files)).toHaveLength(30);
  });

  test.skipIf(python === undefined)("every hostile word is a label, none is an element", () => {
    const hostile: TakeState = {
      name: "hostile",
      input: { q: HOSTILE.map(() => [1]), k: [[1]], v: [[2]] },
      q: HOSTILE,
      kv: ["key"],
    };
    // One drawing for each: a side as long as theirs is shown page by page.
    const drawings = HOSTILE.map((_, row) => drawingOf(sceneOf(hostile, { stage: "scores", level: "row", row })));
    const parsed = parse(drawings.map(svgText));
    for (const { names } of parsed) expect(names).toEqual(["desc", "line", "rect", "svg", "text", "title", "tspan"]);
    const texts = parsed.flatMap((drawing) => drawing.texts);
    expect(texts).toContain('say "yes"');
    expect(texts).toContain("]]> <!-- &amp; &");
    expect(texts.some((text) => text.startsWith("</script>"))).toBe(true);
    expect(texts).toContain("👩‍👩‍👧‍👦");
  });

  test("nothing stands outside the drawing, and no two numbers in one place", () => {
    for (const level of LEVELS) {
      for (const stage of sceneOf(state).numbers.trace.stages) {
        const { width, height, shapes } = drawingOf(sceneOf(state, { stage, level, row: 3, column: 2 }));
        const places = new Set<string>();
        for (const shape of shapes) {
          if (shape.kind === "rect") {
            const { x, y } = shape;
            expect(x).toBeGreaterThanOrEqual(0);
            expect(x + shape.width).toBeLessThanOrEqual(width);
            expect(y + shape.height).toBeLessThanOrEqual(height);
          }
          if (shape.kind !== "text") continue;
          const place = `${shape.x},${shape.y},${shape.anchor}`;
          expect(places.has(place), `${stage} ${place}`).toBe(false);
          places.add(place);
        }
      }
    }
  });

  test("a theme's colours are in it, resolved", () => {
    const scene = sceneOf(state, { stage: "weights", level: "cell" });
    const [light, dark] = [svgText(drawingOf(scene)), svgText(drawingOf(scene, darkTokens))];
    expect(light).toContain(`fill="${lightTokens["--loom-now"]}"`);
    expect(dark).toContain(`fill="${darkTokens["--loom-now"]}"`);
    expect(dark).not.toContain(lightTokens["--loom-card"]);
    expect(mixed("#000000", 0.5, "rgb(255, 255, 255)")).toBe("#808080");
  });

  test("stripes stay inside their box, and cover the share of it that they should", () => {
    const box = { x: 10, y: 20, width: 50, height: 38, radius: 5.5 };
    for (const rises of [true, false]) {
      let area = 0;
      for (const points of stripes(box, 3.5, 8, rises)) {
        points.forEach(([x, y], i) => {
          expect(x).toBeGreaterThanOrEqual(box.x - 1e-9);
          expect(x).toBeLessThanOrEqual(box.x + box.width + 1e-9);
          expect(y).toBeGreaterThanOrEqual(box.y - 1e-9);
          expect(y).toBeLessThanOrEqual(box.y + box.height + 1e-9);
          const [nextX, nextY] = points[(i + 1) % points.length] as [number, number];
          area += (x * nextY - nextX * y) / 2;
        });
      }
      expect(Math.abs(area) / (box.width * box.height)).toBeGreaterThan(0.38);
      expect(Math.abs(area) / (box.width * box.height)).toBeLessThan(0.48);
    }
  });
});
