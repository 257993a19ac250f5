// SPDX-License-Identifier: Apache-2.0
// Materials whose vertices stand where the passes of gpu/deformer.ts put them, with colours by displacement or by domain.
import type { Material, Texture, WebGLProgramParametersWithUniforms } from 'three';

/** What the programs of one body read; bodies change the values. */
export interface SharedUniforms {
  shownPositions: { value: Texture | null };
  shownNormals: { value: Texture | null };
  positionWidth: { value: number };
  normalWidth: { value: number };
  colourMap: { value: Texture };
  /** 1/m; 0: the material's own colour */
  colourPerMetre: { value: number };
  /** One texel a domain of a tree, as gpu/layout.ts lays them; null: the body is none. */
  domainColours: { value: Texture | null };
  colourByDomain: { value: boolean };
}

const kVertexHead = /* glsl */ `
#ifdef ON_THE_CARD
uniform highp sampler2D shownPositions;
uniform highp sampler2D shownNormals;
uniform int positionWidth;
uniform int normalWidth;
attribute float surfaceVertex;
#endif
attribute vec3 restPosition;
varying float vMoved;
#ifdef OF_TREE
uniform sampler2D domainColours;
attribute float domain;
varying vec3 vDomainColour;
#endif
`;

const kNormal = /* glsl */ `
#ifdef ON_THE_CARD
vec3 objectNormal = texelFetch(shownNormals, ivec2(gl_VertexID % normalWidth, gl_VertexID / normalWidth), 0).xyz;
#else
vec3 objectNormal = vec3(normal);
#endif
`;

const kPosition = /* glsl */ `
#ifdef ON_THE_CARD
int vertexOfSurface = int(surfaceVertex + 0.5);
vec3 transformed = texelFetch(shownPositions,
  ivec2(vertexOfSurface % positionWidth, vertexOfSurface / positionWidth), 0).xyz;
#else
vec3 transformed = vec3(position);
#endif
vMoved = distance(transformed, restPosition);
#ifdef OF_TREE
int domainWidth = textureSize(domainColours, 0).x, domainPlace = int(domain + 0.5);
vDomainColour = texelFetch(domainColours, ivec2(domainPlace % domainWidth, domainPlace / domainWidth), 0).rgb;
#endif
`;

const kFragmentHead = /* glsl */ `
uniform sampler2D colourMap;
uniform float colourPerMetre;
varying float vMoved;
#ifdef OF_TREE
uniform bool colourByDomain;
varying vec3 vDomainColour;
#endif
`;

// The middles of the first and the last texel are the ends of the map.
const kColour = /* glsl */ `
#include <color_fragment>
#ifdef OF_TREE
if (colourByDomain) diffuseColor.rgb = vDomainColour;
#endif
if (colourPerMetre > 0.0)
  diffuseColor.rgb = texture2D(colourMap, vec2((0.5 + 8.0 * min(1.0, vMoved * colourPerMetre)) / 9.0, 0.5)).rgb;
`;

/** Takes positions and normals from the passes' textures in place of the vertices' own. */
export function followPasses(material: Material, uniforms: SharedUniforms, onTheCard: boolean): void {
  const ofTree = uniforms.domainColours.value !== null;
  material.defines = { ...material.defines, ...(onTheCard ? { ON_THE_CARD: '' } : {}), ...(ofTree ? { OF_TREE: '' } : {}) };
  material.onBeforeCompile = (program: WebGLProgramParametersWithUniforms) => {
    Object.assign(program.uniforms, uniforms);
    program.vertexShader = program.vertexShader
      .replace('#include <common>', `#include <common>\n${kVertexHead}`)
      .replace('#include <beginnormal_vertex>', kNormal)
      .replace('#include <begin_vertex>', kPosition);
    program.fragmentShader = program.fragmentShader
      .replace('#include <common>', `#include <common>\n${kFragmentHead}`)
      .replace('#include <color_fragment>', kColour);
  };
  material.customProgramCacheKey = () => `limber ${onTheCard} ${ofTree}`;
}
