// SPDX-License-Identifier: Apache-2.0
// Settings of bodies, contact, devices and wind. What stands between markers is written by scripts/describe_settings.

export type Vector3 = [number, number, number];
export type Quaternion = [number, number, number, number];

export interface Pose {
  /** m */
  position: Vector3;
  /** Of unit length. */
  rotation: Quaternion;
}

export type Method = 'stvk' | 'warp' | 'linear' | 'rigid' | 'domains';
/** What holds a body: a support at rest, one that moves, or nothing. */
export type Mount = 'fixed' | 'moved' | 'free';

export interface Material {
  // fields: Material required
  /** Young's modulus: how stiff it is. Unit: Pa, from 1e-20 to 1e+20. Default: 1000000. */
  young: number;
  /**
   * Poisson's ratio: how much it narrows when it is stretched. Range: between -1 and 0.5, both excluded. Default:
   * 0.45.
   */
  poisson: number;
  /** Mass per volume. Unit: kg/m^3, from 1e-20 to 1e+20. Default: 1000. */
  density: number;
  // end
}

export interface StvkSettings {
  // fields: StvkSettings body
  /**
   * Young's modulus, Poisson's ratio and density by the name of the material group; what is not named stays. Default:
   * as built.
   */
  materials?: Record<string, Partial<Material>>;
  /** Number of basis vectors used, from the first. Range: from 1 to 1000. Default: all. */
  rank?: number;
  /** Use only these basis vectors, numbered from 0, each once. Default: all. */
  coordinates?: number[];
  /**
   * Newmark (implicit, average acceleration), central differences (explicit), backward Euler (damps) or the average
   * vector field (keeps energy). Default: "newmark".
   */
  integrator?: 'newmark' | 'central' | 'euler' | 'energy';
  /** Newton iterations per step; 0: until the tolerance is met, at most 20. Range: from 0 to 1000. Default: 1. */
  newton?: number;
  /** Newton's method ends at this residual, relative to the largest force. Range: above 0. Default: 1e-08. */
  tolerance?: number;
  damping?: {
    /** Rayleigh damping by mass: slow motions, also rigid ones. Unit: 1/s, 0 or more. Default: 0. */
    alpha?: number;
    /** Rayleigh damping by the stiffness of the present shape: fast motions. Unit: s, 0 or more. Default: 0. */
    beta?: number;
    /** Viscous stress by the rate of strain; never adds energy. Unit: s, 0 or more. Default: 0. */
    strain_rate?: number;
  };
  /** Of energy, force and Newton's matrix; the state is always double. Default: "double". */
  precision?: 'double' | 'float';
  // end
}

/** Of the methods warp and linear. */
export interface WarpSettings {
  // fields: WarpSettings body
  /**
   * Young's modulus, Poisson's ratio and density by the name of the material group; they become the scales, so all
   * groups change by the same factor and Poisson's ratio stays. Default: as built.
   */
  materials?: Record<string, Partial<Material>>;
  /**
   * Warped with companions that keep lengths, local (without them, as in the paper), or plain linear modes. Default:
   * "warped".
   */
  warping?: 'warped' | 'local' | 'linear';
  /** Backward Euler (damps), or exact for a constant force. Default: "semi-implicit". */
  step?: 'semi-implicit' | 'closed-form';
  damping?: {
    /** Rayleigh damping by mass: slow motions, also rigid ones. Unit: 1/s, 0 or more. Default: 0. */
    alpha?: number;
    /** Rayleigh damping by stiffness: fast motions. Unit: s, 0 or more. Default: 0. */
    beta?: number;
  };
  /** The force of the local frames as they turn. Default: false. */
  coriolis?: boolean;
  /** All of Young's moduli, times those of the model. Range: from 1e-09 to 1e+09. Default: 1. */
  young_scale?: number;
  /** All densities, times those of the model. Range: from 1e-09 to 1e+09. Default: 1. */
  density_scale?: number;
  // end
}

export interface RigidSettings {
  // fields: RigidSettings body
  /**
   * Of the whole body; mass and inertia follow from its closed surface. Unit: kg/m^3, between 0 and 1e+09, the first
   * excluded. Default: 1000.
   */
  density?: number;
  // end
}

/** What one domain of a tree has of its own. */
export interface DomainState {
  // fields: DomainState
  /** Young's moduli of the domain, times those of its part. Range: from 1e-06 to 1000000. Default: 1. */
  young_scale?: number;
  /** Densities of the domain, times those of its part. Range: from 1e-06 to 1000000. Default: 1. */
  density_scale?: number;
  /** The domain keeps its shape and moves like a rigid one. Default: false. */
  frozen?: boolean;
  /**
   * The domain and all that hangs on it come off, for ever: while a world runs they become a free body named
   * TREE.DOMAIN, at the start of a body they are left out. Default: false.
   */
  detach?: boolean;
  /**
   * Another part of the same model in its place, at rest in the domain's frame; empty: that it was built with. It
   * must have as many coordinates, vertices and triangles, and interfaces of the same names for what hangs on the
   * domain. Default: as built.
   */
  replace?: string;
  // end
}

/** Of the method domains. */
export interface DomainsSettings {
  // fields: DomainsSettings body
  /**
   * What a domain feels of those that hang on it: exact, or their mass at the interface (L1) or at its centre (L2),
   * as in the paper. Default: "exact".
   */
  coupling?: 'exact' | 'L1' | 'L2';
  /**
   * Newton's method ends at a correction of this part of the accelerations. Range: between 0 and 0.1, the first
   * excluded. Default: 0.01.
   */
  tolerance?: number;
  damping?: {
    /** Rayleigh damping by mass, of each domain in its own frame. Unit: 1/s, 0 or more. Default: 0. */
    alpha?: number;
    /** Rayleigh damping by the stiffness of each domain at rest: fast motions. Unit: s, 0 or more. Default: 0. */
    beta?: number;
  };
  /**
   * Domains by name: `young_scale`, `density_scale`, `frozen`, `detach`, `replace`; what is not named stays. Default:
   * as built.
   */
  domains?: Record<string, DomainState>;
  // end
}

/** Air that moves past the domains of trees: docs/scene_file.md. */
export interface WindSettings {
  // fields: WindSettings
  /** Of the air on average, at most 1000 m/s. Unit: m/s. Default: [0,0,0]. */
  velocity?: [number, number, number];
  /** Coefficient C of the force ½ρCAu² with ρ = 1.2 kg/m³. Range: from 0 to 1000. Default: 1. */
  drag?: number;
  /** Standard deviation of each component over the mean speed. Range: from 0 to 100. Default: 0. */
  gusts?: number;
  /** Of the gusts: each has its own. Range: from 0 to 1e+09. Default: 0. */
  seed?: number;
  // end
}

export interface Constraints {
  /** displacement: m from rest */
  positions?: { vertex: number; displacement: Vector3 }[];
  /** orientation: of unit length */
  orientations?: { vertex: number; orientation: Quaternion }[];
  // fields: Constraints
  /** The surface vertices that the constraint forces act on. Default: the constrained ones, with torques. */
  exercised?: number[];
  /** Which is met first where not all can be. Default: "position". */
  priority?: 'position' | 'orientation';
  /**
   * How positions are met: by predicted rotations (fast, leaves an error), by Newton's method, or with the rotations
   * of the previous step. Default: "predicted".
   */
  positions_by?: 'predicted' | 'newton' | 'previous';
  // end
}

/** How things touch: docs/scene_file.md. */
export interface ContactSettings {
  // fields: ContactSettings
  /** Whether bodies touch obstacles and each other. Default: true. */
  enabled?: boolean;
  /**
   * Pressure per depth of overlap, whatever the mesh; chosen from sizes, weights and materials, and reported in the
   * result. Unit: Pa/m, from 1 to 1e+15. Default: "auto".
   */
  stiffness?: number | 'auto';
  /**
   * How much a contact damps: none pushes apart faster than one over this. Unit: s/m, from 0 to 1000000. Default: 1.
   */
  dissipation?: number;
  /**
   * Of bodies and obstacles that have none of their own; between two it is the geometric mean of theirs. Range: from
   * 0 to 1000. Default: 0.5.
   */
  friction?: number;
  /** Whether a body touches itself. Default: false. */
  self?: boolean;
  /**
   * Gap below which a contact is listed; a hundredth of the smallest body. Unit: m, between 0 and 1000000, the first
   * excluded. Default: "auto".
   */
  margin?: number | 'auto';
  /** Bodies at rest with all that they touch are not stepped until something wakes them. Default: true. */
  sleep?: boolean;
  // end
}

export interface DeviceSettings {
  // fields: DeviceSettings
  /** Of the proxy, the sphere that touches bodies. Unit: m, from 1e-09 to 1e+09. Default: 0.01. */
  radius?: number;
  /** Of the coupling between device and proxy. Unit: N/m, between 0 and 1e+12, the first excluded. Default: 500. */
  stiffness?: number;
  /** Of the coupling between device and proxy. Unit: N s/m, from 0 to 1e+09. Default: 2. */
  damping?: number;
  /** Of the proxy; at 0 it follows at once. Unit: kg, from 0 to 1000000. Default: 0. */
  mass?: number;
  /**
   * Of the device itself. Where it is given, the coupling is scaled down to what is passive for any hand; at 0 it is
   * unknown, and nothing is claimed. Unit: N s/m, from 0 to 1e+09. Default: 0.
   */
  device_damping?: number;
  /** From a reading to the force that answers it; at most 15 steps count. Unit: s, from 0 to 1. Default: 0. */
  delay?: number;
  /**
   * Readings that are faster are followed at this speed, and reported. Unit: m/s, between 0 and 1e+09, the first
   * excluded. Default: 5.
   */
  max_speed?: number;
  /** What is beyond is cut, and reported. Unit: N, between 0 and 1e+12, the first excluded. Default: 1000. */
  max_force?: number;
  /** Of the proxy; auto: that of the contact settings. Range: from 0 to 1000. Default: "auto". */
  friction?: number | 'auto';
  // end
}
