// SPDX-License-Identifier: Apache-2.0
// A colour for each domain of a tree: neighbours differ, and the selected one stands out.
import type { Tree } from 'limber';
import { Color, DataTexture, LinearSRGBColorSpace } from 'three';
import { gridFor } from '../gpu/layout';
import type { Vec3 } from '../sim/vector';

// Of Okabe and Ito, and lighter and darker ones between: twelve that most eyes tell apart.
const kPalette = [
  '#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#f0e442', '#0072b2', '#d55e00', '#8bc9a8', '#a78bd0', '#b59a5b', '#e8a6a0', '#6b8fb5',
];
const kSelected = '#ff2d55';
// Linear: of parts that no colour is given for.
const kPlain: Vec3 = [0.5, 0.5, 0.5];

/** A colour for each domain that its parent and the sibling before it do not have. */
export function domainPalette(parents: readonly number[]): string[] {
  const places: number[] = [], last = new Map<number, number>();
  parents.forEach((parent, i) => {
    let place = i % kPalette.length;
    const taken = [places[parent], last.get(parent)];
    while (taken.includes(place)) place = (place + 1) % kPalette.length;
    places.push(place);
    last.set(parent, place);
  });
  return places.map((place) => kPalette[place]);
}

/** The domain that has a vertex of the surface. */
export function domainOfVertex({ parts, domains }: Tree, vertex: number): number {
  let first = 0;
  return domains.findIndex(({ part }) => (first += parts[part].vertices) > vertex);
}

export class DomainColours {
  readonly texture: DataTexture;
  readonly colours: string[];
  #own: Vec3[] | null;
  #byDomain = false;
  #selected: number | null = null;
  /** `own`: linear RGB by the names of parts. */
  constructor({ domains, parts }: Tree, own?: Record<string, Vec3>) {
    this.colours = domainPalette(domains.map(({ parent }) => parent));
    this.#own = own ? domains.map(({ part }) => own[parts[part].name] ?? kPlain) : null;
    const { width, height } = gridFor(domains.length);
    this.texture = new DataTexture(new Uint8Array(4 * width * height), width, height);
    // Written as the numbers that the shader computes with.
    this.texture.colorSpace = LinearSRGBColorSpace;
    this.select(null);
  }
  /** The parts have colours of their own. */
  get hasOwn(): boolean {
    return this.#own !== null;
  }
  /** Each domain in another colour, in place of the parts' own. */
  set byDomain(on: boolean) {
    if (on === this.#byDomain) return;
    this.#byDomain = on;
    this.select(this.#selected);
  }
  /** By its place among the domains; null: none. */
  select(selected: number | null): void {
    this.#selected = selected;
    const data = this.texture.image.data as Uint8Array, colour = new Color();
    this.colours.forEach((text, i) => {
      if (this.#own && !this.#byDomain) colour.setRGB(...this.#own[i]);
      else colour.set(i === selected ? kSelected : text);
      data.set([255 * colour.r, 255 * colour.g, 255 * colour.b, 255], 4 * i);
    });
    this.texture.needsUpdate = true;
  }
  dispose(): void {
    this.texture.dispose();
  }
}
