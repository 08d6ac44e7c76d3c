import type { Word } from "./word";

/** A list of words that is filled again for every name. */
export class WordList {
  count = 0;
  private readonly words: Word[] = [];

  clear(): void {
    this.count = 0;
  }

  add(word: Word): Word {
    if (this.count < this.words.length) this.words[this.count] = word;
    else this.words.push(word);
    this.count++;
    return word;
  }

  /** Takes the record that stood here when the list was filled before, if there is one. */
  reuse(): Word | undefined {
    return this.count < this.words.length ? this.words[this.count++] : undefined;
  }

  /** Moves the last word to a place before. */
  moveLast(to: number): void {
    const [last] = this.words.splice(this.count - 1, 1);
    if (last !== undefined) this.words.splice(to, 0, last);
  }

  /** Takes words out; their records are kept for reuse. */
  drop(from: number, count: number): void {
    this.words.push(...this.words.splice(from, count));
    this.count -= count;
  }

  at(index: number): Word {
    const word = this.words[index];
    if (word === undefined) throw new RangeError(`The list has no word ${index}.`);
    return word;
  }

  get first(): Word | undefined {
    return this.count > 0 ? this.words[0] : undefined;
  }

  get last(): Word | undefined {
    return this.words[this.count - 1];
  }

  /** Moves the first words to the end: "SMITH, John" is "John Smith". */
  rotate(count: number): void {
    if (count === 0) return;
    const moved = this.words.splice(0, count);
    this.words.splice(this.count - count, 0, ...moved);
  }

  some(test: (word: Word) => boolean): boolean {
    for (let k = 0; k < this.count; k++) if (test(this.at(k))) return true;
    return false;
  }
}
