// SPDX-License-Identifier: Apache-2.0
// Where the vertices of a tree of domains are: the same arithmetic as tree_shape.ts.

// Domains at one vertex: more have never met at one.
const kMostShared = 64;

export const kTreeProgram = /* glsl */ `
precision highp float;
precision highp int;
uniform highp usampler2D vertices;      // domain, place in partPositions, place in bases, next in the ring
uniform highp usampler2D domains;       // first coordinate, how many, distance of the columns in bases
uniform highp sampler2D partPositions;
uniform highp sampler2D bases;
uniform highp sampler2D coordinates;
uniform highp sampler2D poses;          // position and scale, quaternion
out highp vec4 position;
ivec2 texel(int i, int width) {
  return ivec2(i % width, i / width);
}
// One that came off the tree has no quaternion; its triangles shrink to a point.
bool isThere(uvec4 vertex) {
  vec4 turn = texelFetch(poses, texel(2 * int(vertex.x) + 1, textureSize(poses, 0).x), 0);
  return dot(turn, turn) > 0.0;
}
// position + rotation . scale . (X + Uq)
vec3 placeOf(uvec4 vertex) {
  int domain = int(vertex.x);
  uvec4 about = texelFetch(domains, texel(domain, textureSize(domains, 0).x), 0);
  vec3 x = texelFetch(partPositions, texel(int(vertex.y), textureSize(partPositions, 0).x), 0).xyz;
  int coordinateWidth = textureSize(coordinates, 0).x, basisWidth = textureSize(bases, 0).x;
  for (uint i = 0u; i < about.y; ++i) {
    float weight = texelFetch(coordinates, texel(int(about.x + i), coordinateWidth), 0).x;
    x += weight * texelFetch(bases, texel(int(vertex.z + i * about.z), basisWidth), 0).xyz;
  }
  int poseWidth = textureSize(poses, 0).x;
  vec4 place = texelFetch(poses, texel(2 * domain, poseWidth), 0);
  vec4 turn = texelFetch(poses, texel(2 * domain + 1, poseWidth), 0);
  x *= dot(turn, turn) > 0.0 ? place.w : 0.0;
  return place.xyz + x + 2.0 * cross(turn.xyz, cross(turn.xyz, x) + turn.w * x);
}
void main() {
  ivec2 here = ivec2(gl_FragCoord.xy);
  int width = textureSize(vertices, 0).x;
  uvec4 vertex = texelFetch(vertices, here, 0);
  vec3 sum = placeOf(vertex);
  float count = 1.0;
  int own = here.y * width + here.x;
  // Cards also run fragments beyond the target, whose ring never comes back to them: the loop has an end of its own.
  int other = isThere(vertex) ? int(vertex.w) : own;
  for (int k = 0; k < ${kMostShared} && other != own; ++k) {
    uvec4 next = texelFetch(vertices, texel(other, width), 0);
    if (isThere(next)) {
      sum += placeOf(next);
      count += 1.0;
    }
    other = int(next.w);
  }
  position = vec4(sum / count, 1.0);
}`;
