// Text to the clipboard, and files to the reader's disk.

/** How the text is kept as it is, tabs and blanks included. */
export const clipboardCss = ".to-copy{white-space:pre}";

/** For pages and browsers without a clipboard to write to: a field with the text selected, and the old command. */
function copyBySelection(root: ShadowRoot | HTMLElement, text: string): boolean {
  const before = (root.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "unseen to-copy";
  root.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  before?.focus({ preventScroll: true });
  return isCopied;
}

/**
 * Copies a text. False where the browser does not let it.
 *
 * @param root where the field of the fallback may stand for a moment
 */
export async function copyText(root: ShadowRoot | HTMLElement, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(root, text);
  }
}

/** How long the browser may take to begin with a download before its data is let go, in milliseconds. */
const KEPT_FOR = 60_000;

/** Saves a file under a name. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR);
}
