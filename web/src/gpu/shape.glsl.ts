// SPDX-License-Identifier: Apache-2.0
// GLSL ES 3.0: the displacement of a vertex from the reduced coordinates. docs/math/warping.md has the equations.

/** Σ q_i column_i at a texel, over the first columns; the coordinates lie in one row of a texture. */
const kWeighted = /* glsl */ `
uniform highp sampler2D coordinates;
uniform highp sampler2DArray shapes;
uniform int shapeCount;
vec3 weighted(highp sampler2DArray columns, int count, ivec2 texel) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < count; ++i)
    sum += texelFetch(coordinates, ivec2(i, 0), 0).x * texelFetch(columns, ivec3(texel, i), 0).xyz;
  return sum;
}`;

/** u = U q */
export const kLinearDisplacement = /* glsl */ `${kWeighted}
vec3 displacement(ivec2 texel) { return weighted(shapes, shapeCount, texel); }`;

/**
 * u = R̃(Ψq) (Φq + Γz), (6) and (25): shapes are the columns of Φ and Γ, coordinates q and z, rotations Ψ. The factors
 * are computed as in src/limber/warp/rotation.h: a card's own sine may be off in the fourth digit. The angle is reduced
 * by multiples of 2π, sine and cosine of half of it are series up to π/2, and e is a series where θ − sin θ would cancel.
 */
export const kWarpedDisplacement = /* glsl */ `${kWeighted}
uniform highp sampler2DArray rotations;
uniform int rotationCount;
vec3 meanRotated(vec3 w, vec3 y) {
  float t = max(dot(w, w), 1e-30);
  float theta = sqrt(t);
  float turns = floor(theta * 0.15915494 + 0.5);
  float half_ = clamp(0.5 * ((theta - turns * 6.28125) - turns * 0.0019353072), -1.5707963, 1.5707963);
  float x = half_ * half_;
  float sine = half_ * (1.0 - x * (1.0 / 6.0 - x * (1.0 / 120.0 - x * (1.0 / 5040.0 - x * (1.0 / 362880.0
    - x * (1.0 / 39916800.0 - x / 6227020800.0))))));
  float cosine = 1.0 - x * (0.5 - x * (1.0 / 24.0 - x * (1.0 / 720.0 - x * (1.0 / 40320.0 - x * (1.0 / 3628800.0
    - x * (1.0 / 479001600.0 - x / 87178291200.0))))));
  float sinePerTheta = sine / theta;
  float s = 2.0 * sinePerTheta * cosine;
  float c = 2.0 * sinePerTheta * sinePerTheta;
  float series = 1.0 / 6.0 - t * (1.0 / 120.0 - t * (1.0 / 5040.0 - t * (1.0 / 362880.0 - t / 39916800.0)));
  float e = t < 1.0 ? series : (1.0 - s) / t;
  vec3 wy = cross(w, y);
  return y + c * wy + e * cross(w, wy);
}
vec3 displacement(ivec2 texel) {
  return meanRotated(weighted(rotations, rotationCount, texel), weighted(shapes, shapeCount, texel));
}`;

/** One fragment a vertex: rest position plus displacement. */
export function positionProgram(displacement: string): string {
  return /* glsl */ `precision highp float;
precision highp int;
uniform highp sampler2D restPositions;
out highp vec4 position;
${displacement}
void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  position = vec4(texelFetch(restPositions, texel, 0).xyz + displacement(texel), 1.0);
}`;
}

/** One fragment a shown vertex: the sum of (b − a) × (c − a) over its triangles, so weighted by area. */
export const kNormalProgram = /* glsl */ `precision highp float;
precision highp int;
uniform highp sampler2D positions;
uniform highp usampler2D fanOf;      // first entry and number of entries of each shown vertex
uniform highp usampler2D fans;       // the three vertices of a triangle
uniform int positionWidth;
uniform int fanWidth;
out highp vec4 normal;
vec3 positionOf(uint vertex) {
  int i = int(vertex);
  return texelFetch(positions, ivec2(i % positionWidth, i / positionWidth), 0).xyz;
}
void main() {
  uvec2 fan = texelFetch(fanOf, ivec2(gl_FragCoord.xy), 0).xy;
  vec3 sum = vec3(0.0);
  for (uint k = 0u; k < fan.y; ++k) {
    int i = int(fan.x + k);
    uvec3 corner = texelFetch(fans, ivec2(i % fanWidth, i / fanWidth), 0).xyz;
    vec3 a = positionOf(corner.x);
    sum += cross(positionOf(corner.y) - a, positionOf(corner.z) - a);
  }
  // Squares of small areas would fall out of the range of floats.
  float largest = max(max(abs(sum.x), abs(sum.y)), abs(sum.z));
  normal = vec4(largest > 0.0 ? normalize(sum / largest) : vec3(0.0, 0.0, 1.0), 0.0);
}`;

export const kFullScreenVertex = /* glsl */ `
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;
