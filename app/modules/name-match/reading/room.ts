/** As much as some seventy names need. */
const SLAB_BYTES = 32 * 1024;
/** Every list begins where a number of this many bytes can begin. */
const ALIGNMENT = 4;

/** Room for the lists of names that are kept, many in one piece of memory: a list of its own takes six times as long to make. */
export class Room {
  private slab = new ArrayBuffer(0);
  private used = 0;

  letters(count: number): Uint16Array {
    const from = this.take(count * Uint16Array.BYTES_PER_ELEMENT);
    return new Uint16Array(this.slab, from, count);
  }

  numbers(count: number): Int32Array {
    const from = this.take(count * Int32Array.BYTES_PER_ELEMENT);
    return new Int32Array(this.slab, from, count);
  }

  /** @returns where in the slab that many bytes are free */
  private take(bytes: number): number {
    const size = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    if (this.used + size > this.slab.byteLength) {
      this.slab = new ArrayBuffer(Math.max(SLAB_BYTES, size));
      this.used = 0;
    }
    this.used += size;
    return this.used - size;
  }
}
