/** What a line of PTX is about, for the page that is asked for. Rough on purpose: the server knows which of it has a page. */

/** A word with the dots and colons of PTX: `cp.async.bulk`, `.shared::cta`, `%laneid`. */
const WORD = /[.%]?[A-Za-z_$][\w$]*(?:(?:::|\.)[\w$]+)*/g;
const OPCODE = /^\s*(?:[\w$]+\s*:(?!:)\s*)*\{?\s*(?:@!?%?[\w$]+\s+)?([a-z][\w]*(?:(?:::|\.)[\w$]+)*)/;
const DIRECTIVE = /^\s*(\.[a-z]\w*)/;

/**
 * What to look up, best first: what is selected, the word at `column`, the instruction or directive of the line.
 */
export function topicsAt(line: string, column: number, selected = ''): string[] {
  const found = selected.trim() ? [selected.trim()] : [];
  for (const { 0: word, index } of line.matchAll(WORD)) {
    if (index <= column && column <= index + word.length) {
      found.push(word);
    }
  }
  const first = OPCODE.exec(line) ?? DIRECTIVE.exec(line);
  if (first?.[1]) {
    found.push(first[1]);
  }
  return [...new Set(found)];
}

/** A number that can be a packed value, if the text is one. */
export function valueIn(text: string): string | undefined {
  return /^(?:0[xX][0-9a-fA-F?_]+|0[bB][01?_]+|\d+)U?$/.exec(text.trim())?.[0].replace(/U$/, '');
}
