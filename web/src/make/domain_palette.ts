// SPDX-License-Identifier: Apache-2.0
// Colours of domains while a model is made: as the live view has them.
import type { DomainTree } from '../api/jobs';
import { domainPalette } from '../view/domain_colours';

/** Of a painted domain, whatever it will hang on. */
export function domainColour(place: number): string {
  return kPainted[place % kPainted.length];
}

// Neighbours in the list differ.
const kPainted = domainPalette(Array.from({ length: 12 }, (_, i) => i - 1));

export function treeColours({ domains }: DomainTree): string[] {
  return domainPalette(domains.map(({ parent }) => parent));
}
