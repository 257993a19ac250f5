// SPDX-License-Identifier: Apache-2.0
// The edges of the elements that are simulated, as lines that move with the body.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, type WebGLRenderer } from 'three';
import { Deformer, type Shape, type ShapeTextures } from '../gpu/deformer';
import { shapePositions } from '../gpu/shape_cpu';
import { followPasses, type SharedUniforms } from './follow_passes';

export class VolumeLines {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  #shape: Shape;
  #deformer: Deformer | null;

  /** `textures` are the shape's on the card; null: the CPU draws. */
  constructor(shape: Shape, edges: Int32Array, colour: string, textures: ShapeTextures | null, uniforms: SharedUniforms) {
    this.#shape = shape;
    this.#deformer = textures && new Deformer(textures);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(shape.rest.slice(), 3));
    geometry.setAttribute('restPosition', new BufferAttribute(shape.rest, 3));
    geometry.setAttribute('surfaceVertex', new BufferAttribute(Float32Array.from({ length: shape.rest.length / 3 }, (_, v) => v), 1));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(edges), 1));
    const material = new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.55 });
    if (this.#deformer)
      followPasses(material, {
        ...uniforms, shownPositions: { value: this.#deformer.positions }, positionWidth: { value: this.#deformer.grid.width },
      }, true);
    this.lines = new LineSegments(geometry, material);
    this.lines.frustumCulled = false;
  }

  move(renderer: WebGLRenderer, coordinates: ArrayLike<number>): void {
    if (this.#deformer) {
      this.#deformer.run(renderer, coordinates);
      return;
    }
    const place = this.lines.geometry.getAttribute('position') as BufferAttribute;
    (place.array as Float32Array).set(shapePositions(this.#shape, coordinates));
    place.needsUpdate = true;
  }

  /** Where the vertices are drawn. */
  positions(renderer: WebGLRenderer): Float32Array {
    return this.#deformer?.read(renderer) ?? (this.lines.geometry.getAttribute('position').array as Float32Array).slice();
  }

  dispose(): void {
    this.#deformer?.dispose();
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
