// Icons as paths on a 20 × 20 ground.

import { html, type TemplateResult } from "lit";

const paths = {
  first: "M5 4h2v12H5zM16 4.4v11.2a.6.6 0 0 1-1 .5L8 10.5a.6.6 0 0 1 0-1l7-5.6a.6.6 0 0 1 1 .5z",
  back: "M14 4.4v11.2a.6.6 0 0 1-1 .5L5.6 10.5a.6.6 0 0 1 0-1L13 3.9a.6.6 0 0 1 1 .5z",
  next: "M6 4.4v11.2a.6.6 0 0 0 1 .5l7.4-5.6a.6.6 0 0 0 0-1L7 3.9a.6.6 0 0 0-1 .5z",
  last: "M13 4h2v12h-2zM4 4.4v11.2a.6.6 0 0 0 1 .5l7-5.6a.6.6 0 0 0 0-1L5 3.9a.6.6 0 0 0-1 .5z",
  play: "M5 3.6v12.8c0 .5.5.8.9.5l10.3-6.4a.6.6 0 0 0 0-1L5.9 3.1c-.4-.3-.9 0-.9.5z",
  pause: "M5.5 3.5h3v13h-3zM11.5 3.5h3v13h-3z",
  undo: "M8 3.5 3.5 8 8 12.500V9.300h3.500a2.900 2.900 0 0 1 0 5.800H7.500v1.900h4a4.800 4.800 0 0 0 0-9.600H8z",
  redo: "M12 3.500 16.500 8 12 12.500V9.300H8.500a2.900 2.900 0 0 0 0 5.800h4v1.900h-4a4.800 4.800 0 0 1 0-9.600H12z",
  reset: "M10 3a7 7 0 1 1-6.700 9h2.100A5 5 0 1 0 6.300 6.600L8.700 9H3V3.300l1.900 1.900A7 7 0 0 1 10 3z",
  edit: "M13.200 3.300 16.700 6.800 7.400 16.100 3.400 16.600 3.900 12.600zM11.800 6.100 5.700 12.200 5.500 14.500 7.800 14.300 13.900 8.200z",
  check: "M8.100 15.200 3.300 10.400l1.500-1.500 3.300 3.300 7.100-7.100 1.500 1.500z",
  alert: "M9 4h2v8H9zM9 14h2v2H9z",
  help: "M10 2.500a7.500 7.500 0 1 1 0 15 7.500 7.500 0 0 1 0-15zm0 1.700a5.800 5.800 0 1 0 0 11.600 5.800 5.800 0 0 0 0-11.600zM9.200 13h1.700v1.600H9.200zM10 5.600c1.700 0 2.800 1 2.800 2.400 0 1.900-2 2-2 3.400v.6H9.200v-.8c0-2 2-2.100 2-3.100 0-.6-.5-1-1.200-1s-1.300.5-1.300 1.300H7.100c0-1.700 1.200-2.800 2.900-2.800z",
} as const;

/** The names of the icons. */
export type IconName = keyof typeof paths;

/** An icon. What it means is said by the control around it. */
export const icon = (name: IconName): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d=${paths[name]}></path></svg>`;
