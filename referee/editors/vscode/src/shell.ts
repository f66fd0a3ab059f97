// Words for a shell: each stays one word, whatever stands in it.

/** Whether something is a list of words with a program first. */
export function isWords(found: unknown): found is [string, ...string[]] {
  return Array.isArray(found) && found.length > 0 && found.every((one) => typeof one === "string");
}

/** The line that carries a program out: words of letters as they are, others in quotes. */
export function inShell(words: readonly string[], windows: boolean): string {
  return words.map((word) => quoted(word, windows)).join(" ");
}

function quoted(word: string, windows: boolean): string {
  const plain = word.replace(/[\u0000-\u001f\u007f]/g, " ");
  if (/^[\w./:@%+=,-]+$/.test(plain)) {
    return plain;
  }
  return windows ? `'${plain.replace(/'/g, "''")}'` : `'${plain.replace(/'/g, `'\\''`)}'`;
}
