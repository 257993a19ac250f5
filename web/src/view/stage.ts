// SPDX-License-Identifier: Apache-2.0
// The 3D scene around a model: camera, light, ground and framing. It knows no simulation; whoever uses it adds
// objects to `root`, in metres and in the model's own axes.
import {
  AmbientLight, Box3, CircleGeometry, Color, DirectionalLight, Group, HemisphereLight, Mesh, MOUSE, PCFShadowMap,
  PerspectiveCamera, Scene, ShadowMaterial, SRGBColorSpace, TOUCH, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { dark } from '../page/theme';
import type { Up } from '../api/jobs';
import { upright } from './up';


/** Why there is no picture; shown in its place. */
export class NoPictureError extends Error {
  readonly tryThis = 'use a current browser with hardware acceleration switched on';
  readonly problem = 'this browser cannot draw with WebGL 2';
  readonly where = 'the view';
}

// What is shown fills a sphere of this radius in the scene's units, whatever its size in metres.
const kRadius = 1;
const kFieldOfViewDeg = 32;
// Parts of the picture that a framed body may fill.
const kUsedWidth = 0.84, kUsedHeight = 0.74;
// Left free above and below it, pixels: the meter.
const kMargin = 50;

function makeRenderer(): WebGLRenderer {
  // ?antialias=off is for machines that draw in software.
  const antialias = new URLSearchParams(location.search).get('antialias') !== 'off';
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2', { antialias, alpha: false, powerPreference: 'high-performance' });
  if (!context) throw new NoPictureError('no WebGL 2');
  return new WebGLRenderer({ canvas, context });
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(kFieldOfViewDeg, 1, 0.01, 100);
  readonly controls: OrbitControls;
  /** In metres, in the model's axes; rotated so that the model's up is the scene's, +y. */
  readonly root = new Group();
  /** Pixels that something covers at the lower edge: the picture is lifted by half of them. Asked at every resize. */
  covered: () => number = () => 0;
  /** Called before each picture with the time in ms. */
  onFrame: (now: number) => void = () => {};
  /** The card has taken the picture away, or given it back. */
  onContext: (lost: boolean) => void = () => {};
  #host: HTMLElement;
  #ground: Mesh<CircleGeometry, ShadowMaterial>;
  #key = new DirectionalLight(0xfff4e6, 2.0);
  #shown = new Box3();
  #wanted = true;
  // The user has not moved the camera: it follows the window's shape.
  #asFramed = true;
  #frame = 0;
  #observer: ResizeObserver;
  #stopFollowingTheme: () => void;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.renderer = makeRenderer();
    const { renderer, scene, camera } = this;
    renderer.outputColorSpace = SRGBColorSpace;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    const canvas = renderer.domElement;
    canvas.classList.add('stage');
    host.append(canvas);
    canvas.addEventListener('webglcontextlost', () => this.onContext(true));
    canvas.addEventListener('webglcontextrestored', () => {
      this.onContext(false);
      this.invalidate();
    });

    this.#ground = new Mesh(new CircleGeometry(12, 64), new ShadowMaterial({ opacity: 0.22 }));
    this.#ground.rotation.x = -Math.PI / 2;
    this.#ground.receiveShadow = true;
    this.#key.position.set(2.2, 4.2, 2.8);
    this.#key.castShadow = true;
    this.#key.shadow.mapSize.set(1024, 1024);
    this.#key.shadow.radius = 6;
    this.#key.shadow.bias = -0.0006;
    this.#key.shadow.normalBias = 0.012;
    const fill = new DirectionalLight(0xcfe3ff, 0.9);
    fill.position.set(-3, 1.5, 1.5);
    const rim = new DirectionalLight(0xffffff, 1.1);
    rim.position.set(-1.5, 2.5, -4);
    // Beside the eye: what one sees is lit, also from below.
    const eye = new DirectionalLight(0xffffff, 0.9);
    eye.position.set(0.2, 0.3, 0);
    eye.target.position.set(0, 0, -1);
    camera.add(eye, eye.target);
    scene.add(new HemisphereLight(0xf2f7ff, 0xc9c2b7, 1.5), new AmbientLight(0xffffff, 0.2), this.#key, this.#key.target,
      fill, rim, this.#ground, this.root, camera);

    this.controls = new OrbitControls(camera, canvas);
    this.controls.enableDamping = false;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.ROTATE };
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.controls.minDistance = 0.15;
    this.controls.maxDistance = 20;
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => {
      this.#asFramed = false;
    });
    this.frame(new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)), 'y');

    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(host);
    this.#resize();
    this.#stopFollowingTheme = dark.subscribe(() => this.#paint());
    const loop = (now: number) => {
      this.#frame = requestAnimationFrame(loop);
      this.onFrame(now);
      if (!this.#wanted) return;
      this.#wanted = false;
      this.render();
    };
    this.#frame = requestAnimationFrame(loop);
  }

  /** Draws with the next frame. */
  invalidate(): void {
    this.#wanted = true;
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  /**
   * Puts a box of the model, in metres, into the middle of the picture; what is up in the model is up here. `floor`: it
   * stands on one, which takes its shadow.
   */
  frame(box: Box3, up: Up, floor = false): void {
    const turned = upright(up);
    const middle = box.getCenter(new Vector3());
    const radius = Math.max(0.5 * box.getSize(new Vector3()).length(), 1e-9);
    const scale = kRadius / radius;
    this.root.quaternion.copy(turned);
    this.root.scale.setScalar(scale);
    this.root.position.copy(middle.applyQuaternion(turned).multiplyScalar(-scale));
    this.root.updateMatrixWorld(true);
    const shadow = this.#key.shadow.camera;
    shadow.left = shadow.bottom = -1.7;
    shadow.right = shadow.top = 1.7;
    shadow.near = 0.5;
    shadow.far = 12;
    shadow.updateProjectionMatrix();
    this.lookAt(box);
    this.#ground.visible = floor;
    // A little lower than the lowest vertices, which lie in it.
    this.#ground.position.y = this.#shown.min.y - 0.002 * kRadius;
  }

  /** Points the camera at a box of the model, in metres. */
  lookAt(box: Box3): void {
    this.#shown = box.clone().applyMatrix4(this.root.matrixWorld);
    this.resetCamera();
  }

  /** Looks at what was framed last from the front, a little from the right and above. */
  resetCamera(): void {
    const back = new Vector3(0.55, 0.42, 1).normalize();
    const right = new Vector3(0, 1, 0).cross(back).normalize(), up = back.clone().cross(right);
    const middle = this.#shown.getCenter(new Vector3());
    const tall = Math.tan((0.5 * kFieldOfViewDeg * Math.PI) / 180);
    const height = this.#host.clientHeight;
    const usedHeight = height > 0 ? Math.max(0.3, Math.min(kUsedHeight, 1 - (this.covered() + kMargin) / height)) : kUsedHeight;
    // So far that every corner of the box is in the picture, beside the meter and the buttons.
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const at = new Vector3(...([0, 1, 2].map((k) => ((corner >> k) & 1 ? this.#shown.max : this.#shown.min).getComponent(k)) as
        [number, number, number])).sub(middle);
      distance = Math.max(distance, at.dot(back) + Math.abs(at.dot(right)) / (kUsedWidth * tall * this.camera.aspect),
        at.dot(back) + Math.abs(at.dot(up)) / (usedHeight * tall));
    }
    this.camera.position.copy(middle).addScaledVector(back, distance);
    this.controls.target.copy(middle);
    this.controls.update();
    this.#asFramed = true;
    this.invalidate();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, 0, this.covered() / 2, width, height);
    this.camera.updateProjectionMatrix();
    if (this.#asFramed) this.resetCamera();
    this.invalidate();
  }

  #paint(): void {
    this.scene.background = new Color(dark.value ? 0x151b21 : 0xeef2f5);
    this.#ground.material.opacity = dark.value ? 0.5 : 0.2;
    this.invalidate();
  }

  /** Where a pointer is, in the coordinates that rays are cast with. */
  pointerAt(event: { clientX: number; clientY: number }): Vector2 {
    const { left, top, width, height } = this.renderer.domElement.getBoundingClientRect();
    return new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
  }

  /** A point of the scene in pixels of the host; null: behind the camera. */
  pixelOf(point: Vector3): { x: number; y: number } | null {
    const seen = point.clone().project(this.camera);
    if (seen.z > 1) return null;
    return { x: (0.5 + 0.5 * seen.x) * this.#host.clientWidth, y: (0.5 - 0.5 * seen.y) * this.#host.clientHeight };
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer.disconnect();
    this.#stopFollowingTheme();
    this.controls.dispose();
    this.#ground.geometry.dispose();
    this.#ground.material.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }
}
