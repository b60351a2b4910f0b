/** Hands a file with these objects, each as its JSON, to the browser. */
export function downloadJson(name: string, texts: readonly string[]): void {
  const parts = texts.flatMap((text, at) => (at === 0 ? [text] : [',\n', text]));
  downloadFile(name, 'application/json', ['[\n', ...parts, '\n]\n']);
}

/** Hands a file to the browser. */
export function downloadFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has to begin first.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
