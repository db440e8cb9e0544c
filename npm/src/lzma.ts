/**
 * The engine's bytes are packed by LZMA, a quarter smaller than gzip would have them: this unpacks them. What is known of them is
 * not read: no header, three bits of literal context, none of position, no end marker. (The packages for it bring their encoders
 * or ten times the code, and take twice the time.)
 *
 * The format is that of the [LZMA specification](https://www.7-zip.org/sdk.html), in its names.
 *
 * @module
 */

const LC = 3;
const STATES = 12;
const LEN_CHOICES = 2;
const LOW_BITS = 3;
const HIGH_BITS = 8;
const LOW = 1 << LOW_BITS;
const LEN = LEN_CHOICES + 2 * LOW + (1 << HIGH_BITS);
const FIRST_MODELED = 4;
const END_MODELED = 14;
const ALIGN_BITS = 4;
const LITERAL_CODERS = 0x300;

/** Where the probabilities of each kind stand. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES;
const IS_REP_G0 = IS_REP + STATES;
const IS_REP_G1 = IS_REP_G0 + STATES;
const IS_REP_G2 = IS_REP_G1 + STATES;
const IS_REP0_LONG = IS_REP_G2 + STATES;
const POS_SLOT = IS_REP0_LONG + STATES;
const POS_SPECIAL = POS_SLOT + 4 * 64;
const ALIGN = POS_SPECIAL + 1 + 128 - END_MODELED;
const MATCH_LEN = ALIGN + (1 << ALIGN_BITS);
const REP_LEN = MATCH_LEN + LEN;
const LITERAL = REP_LEN + LEN;
const ALL = LITERAL + (LITERAL_CODERS << LC);

/** The bytes, of which there are `size`. */
export function unpackedBytes(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const { bit, direct } = rangeDecoder(packed);
  const out = new Uint8Array(size);
  let at = 0;
  let state = 0;
  let rep0 = 0;
  let rep1 = 0;
  let rep2 = 0;
  let rep3 = 0;

  const tree = (base: number, bits: number): number => {
    let symbol = 1;
    for (let left = bits; left > 0; left--) symbol = (symbol << 1) | bit(base + symbol);
    return symbol - (1 << bits);
  };

  const reverseTree = (base: number, bits: number): number => {
    let symbol = 1;
    let value = 0;
    for (let place = 0; place < bits; place++) {
      const next = bit(base + symbol);
      symbol = (symbol << 1) | next;
      value |= next << place;
    }
    return value;
  };

  const length = (base: number): number => {
    if (bit(base) === 0) return tree(base + LEN_CHOICES, LOW_BITS);
    if (bit(base + 1) === 0) return LOW + tree(base + LEN_CHOICES + LOW, LOW_BITS);
    return 2 * LOW + tree(base + LEN_CHOICES + 2 * LOW, HIGH_BITS);
  };

  const literal = (): number => {
    const base = LITERAL + LITERAL_CODERS * ((out[at - 1] ?? 0) >> (8 - LC));
    let symbol = 1;
    if (state >= 7) {
      for (let match = out[at - rep0 - 1]!, same = true; same && symbol < 0x100; match <<= 1) {
        const expected = (match >> 7) & 1;
        const next = bit(base + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | next;
        same = next === expected;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(base + symbol);
    return symbol;
  };

  const distance = (len: number): number => {
    const slot = tree(POS_SLOT + 64 * Math.min(len, 3), 6);
    if (slot < FIRST_MODELED) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < END_MODELED) return high + reverseTree(POS_SPECIAL + high - slot, bits);
    return high + (direct(bits - ALIGN_BITS) << ALIGN_BITS) + reverseTree(ALIGN, ALIGN_BITS);
  };

  /** Whether it is one byte of the newest distance; else a distance that was used before moves to the front. */
  const reuses = (): boolean => {
    if (bit(IS_REP_G0 + state) === 0) return bit(IS_REP0_LONG + state) === 0;
    let next = rep1;
    if (bit(IS_REP_G1 + state) === 1) {
      next = rep2;
      if (bit(IS_REP_G2 + state) === 1) {
        next = rep3;
        rep3 = rep2;
      }
      rep2 = rep1;
    }
    rep1 = rep0;
    rep0 = next;
    return false;
  };

  const copy = (count: number): void => {
    for (const end = Math.min(at + count, size); at < end; at++) out[at] = out[at - rep0 - 1]!;
  };

  while (at < size) {
    if (bit(IS_MATCH + state) === 0) {
      out[at] = literal();
      at++;
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
    } else if (bit(IS_REP + state) === 0) {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      const len = length(MATCH_LEN);
      rep0 = distance(len);
      state = state < 7 ? 7 : 10;
      copy(len + 2);
    } else if (reuses()) {
      state = state < 7 ? 9 : 11;
      copy(1);
    } else {
      const len = length(REP_LEN);
      state = state < 7 ? 8 : 11;
      copy(len + 2);
    }
  }
  return out;
}

/** Reads bits by their probabilities, and bits that are as likely as not. */
function rangeDecoder(packed: Uint8Array): { bit(index: number): number; direct(bits: number): number } {
  const probabilities = new Uint16Array(ALL).fill(1024);
  // The range and the code: what does not fit into 31 bits would be an object each time, were it not in an array of its kind.
  const state = new Uint32Array([0xffffffff, new DataView(packed.buffer, packed.byteOffset).getUint32(1)]);
  let at = 5;

  const fill = (): void => {
    state[0]! <<= 8;
    state[1] = (state[1]! << 8) | (packed[at++] ?? 0);
  };

  const bit = (index: number): number => {
    const range = state[0]!;
    const probability = probabilities[index]!;
    const bound = (range >>> 11) * probability;
    const is = state[1]! < bound ? 0 : 1;
    if (is === 0) {
      state[0] = bound;
      probabilities[index] = probability + ((2048 - probability) >> 5);
    } else {
      state[0] = range - bound;
      state[1]! -= bound;
      probabilities[index] = probability - (probability >> 5);
    }
    if (state[0]! < 0x1000000) fill();
    return is;
  };

  const direct = (bits: number): number => {
    let value = 0;
    for (let left = bits; left > 0; left--) {
      state[0]! >>>= 1;
      const is = state[1]! >= state[0]! ? 1 : 0;
      if (is === 1) state[1]! -= state[0]!;
      value = (value << 1) | is;
      if (state[0]! < 0x1000000) fill();
    }
    return value;
  };
  return { bit, direct };
}
