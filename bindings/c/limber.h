/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/* limber in C11: soft and rigid bodies of one world, stepped in real time. docs/c.md.

   Handles are tokens, not addresses. A handle that was freed, or is of another kind, is an error, never a crash; no token
   is given twice. Every size is given and checked. Units are SI; quaternions are x y z w.

   A function that returns limber_status changes nothing unless it returns LIMBER_OK; limber_error() says why. Texts that
   go in have a size and need no end; texts that come out end with 0 and stay valid until the same thread's next call that
   gives a text. Nothing is thrown, printed, or written to files.

   Threads: handles may be made, used and freed in any thread, but one thread at a time uses a world, a state, statics or
   shapes. A model may be used by several threads at once. Nothing is freed while another thread uses it. Errors and texts
   are each thread's own. A step starts no threads; it uses those that limber_world_create_parallel brings. A link is
   between two threads: one exchanges, one reads and answers, at the same time and without locks. */
#ifndef LIMBER_H
#define LIMBER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LIMBER_API __attribute__((visibility("default")))
#else
#define LIMBER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct limber_model limber_model;
typedef struct limber_world limber_world;
typedef struct limber_state limber_state;
typedef struct limber_statics limber_statics;
typedef struct limber_shapes limber_shapes;
typedef struct limber_link limber_link;

typedef enum limber_status {
    LIMBER_OK = 0,
    LIMBER_REFUSED = 1,     /* input that limber cannot take */
    LIMBER_NULL = 2,        /* a pointer or a handle is null */
    LIMBER_BAD_HANDLE = 3,  /* a handle that was freed, or never given */
    LIMBER_WRONG_KIND = 4,  /* a handle of another kind */
    LIMBER_WRONG_SIZE = 5,  /* an array of another size than needed */
    LIMBER_BAD_POINTER = 6, /* not aligned; in WebAssembly also outside the memory */
    LIMBER_NO_BODY = 7,     /* the world has no body of that number: removed, or never added */
    LIMBER_NO_MEMORY = 8,   /* or more than 262,143 handles */
    LIMBER_FAILED = 9       /* an error of limber itself */
} limber_status;

/* Arrays of a model; s vertices of the surface, n of the simulated mesh. */
typedef enum limber_floats {
    LIMBER_REST_POSITIONS = 0,  /* 3s, m */
    LIMBER_REST_NORMALS = 1,    /* 3s, of unit length */
    LIMBER_BASIS = 2,           /* U of the surface, 3s x r, column by column */
    LIMBER_WARP_MODES = 3,      /* of the surface, column by column: modes, */
    LIMBER_WARP_ROTATIONS = 4,  /* their rotations, */
    LIMBER_WARP_COMPANIONS = 5, /* companions; empty without warping */
    LIMBER_MESH_POSITIONS = 6,  /* 3n, m; empty in a lean model */
    LIMBER_MESH_BASIS = 7,      /* 3n x r, column by column */
    LIMBER_PART_POSITIONS = 8,  /* of the parts of a tree of domains, one after another: 3p each, m; empty in others */
    LIMBER_PART_BASES = 9       /* U of their surfaces, 3p x r each, column by column, one after another */
} limber_floats;
typedef enum limber_ints {
    LIMBER_TRIANGLES = 0,      /* 3 vertices each */
    LIMBER_INPUT_VERTICES = 1, /* s: the vertex of the user's file that each came from */
    LIMBER_MESH_EDGES = 2,     /* 2 vertices of the simulated mesh each, every edge once */
    LIMBER_MESH_FIXED = 3,     /* vertices of the simulated mesh that are fixed */
    LIMBER_SHARED_VERTICES = 4 /* s of a tree of domains: the next vertex of the ring that domains share, drawn where
                                  they are on average; itself where no other domain has it; empty in others */
} limber_ints;

/* Arrays of a body. */
typedef enum limber_numbers {
    LIMBER_Q = 0,                 /* coordinates; none of a rigid body */
    LIMBER_V = 1,                 /* their rates */
    LIMBER_SHAPE_COORDINATES = 2, /* q, then the amplitudes of a warped body's companions */
    LIMBER_SHAPE_ROTATIONS = 3,   /* the q whose rotations the shape has */
    LIMBER_POSE = 4,              /* 7: position (m) and quaternion, world from body */
    LIMBER_SUPPORT_POSE = 5,      /* 7: of the support that carries it */
    LIMBER_ENERGIES = 6,          /* 2: kinetic and elastic, J */
    LIMBER_SPRING_FORCES = 7,     /* 3 for each spring, N, world axes */
    LIMBER_STABLE_DT = 8,         /* 1: the longest explicit step of a nonlinear body, s; none of others */
    LIMBER_MOMENTA = 9,           /* 6 of a body that flies: kg m/s, and about its centre kg m²/s; none of others */
    LIMBER_BODY_CONTACTS = 10,    /* 9: points that push, total force (N) and impulse of the step (N s) on the body,
                                     deepest overlap (m), 1 where it sleeps */
    LIMBER_DOMAIN_POSES = 11,     /* 7 for each domain of a tree: position (m) and quaternion in the body's frame, the
                                     quaternion 0 of one that came off; none of others */
    LIMBER_FLIGHT = 12            /* 10 of a body that flies: mass (kg), its centre (m), the centre's velocity (m/s), angular
                                     velocity (rad/s), world axes; none of others */
} limber_numbers;
typedef enum limber_vectors {
    LIMBER_POSITION = 0,     /* in the world, m */
    LIMBER_VELOCITY = 1,     /* in the world, m/s */
    LIMBER_DISPLACEMENT = 2, /* from rest, in the body's frame, m */
    LIMBER_ROTATION = 3      /* of a warped body, in its frame, rad; 0 of others */
} limber_vectors;

/* Numbers of a contact in limber_world_contacts: the numbers of body a, of body b and of the obstacle (0: none),
   position (m), normal from b to a, impulse on a (N s), force on a (N), depth (m), slip (m/s), the number of the
   device (0: none). */
enum { LIMBER_CONTACT_NUMBERS = 18 };

/* Numbers of a device in limber_device_numbers: its position (3, m), the proxy (3, m), the force to the hand (3, N);
   points that push the proxy, their depth (m); stiffness (N/m) and damping (N s/m) of the coupling after it was
   limited, 1 where it claims to be passive; energy that it absorbed, that the damping of the device took, and the most
   that was given to the hand beyond that (J); readings, those that were not finite, those that jumped. */
enum { LIMBER_DEVICE_NUMBERS = 20 };

/* What happened in one limber_link_exchange; bits. */
typedef enum limber_link_event {
    LIMBER_READING_NOT_FINITE = 1, /* the last position was kept */
    LIMBER_READING_JUMPED = 2,     /* it was followed at max_speed */
    LIMBER_FORCE_CUT = 4,          /* to max_force */
    LIMBER_FORCE_STALE = 8,        /* nobody answered for 0.1 s: the force fades */
    LIMBER_FORCE_NOT_FINITE = 16   /* what was answered is no force: 0 was given */
} limber_link_event;
/* Numbers of a link in limber_link_numbers, so far: readings, those that were not finite, those that jumped, the
   largest jump (m); forces that were cut, stale, not finite; energy absorbed, dissipated, the most given (J). */
enum { LIMBER_LINK_NUMBERS = 10 };

typedef struct limber_clock {
    double time, dt;   /* s */
    double gravity[3]; /* m/s² */
    int64_t steps;     /* made so far */
} limber_clock;

typedef struct limber_steps {
    int32_t steps;         /* made */
    int32_t not_converged; /* steps of single bodies that were refused; those bodies stand where they were */
    int32_t iterations;    /* the most that a body's step took */
} limber_steps;

typedef enum limber_problem {
    LIMBER_NO_PROBLEM = 0,
    LIMBER_TIME_STEP = 1,  /* the time step is too large to square */
    LIMBER_NOT_SOLVED = 2, /* the tolerance was not met */
    LIMBER_BLOW_UP = 3     /* the motion left the finite numbers; the body was stopped as well */
} limber_problem;
typedef struct limber_step_report {
    double residual;   /* what was left of the equation, relative */
    int32_t converged; /* 0: the step was refused */
    int32_t problem;   /* limber_problem */
    int32_t iterations;
    int32_t shifts;        /* matrices that were not positive definite */
    int32_t line_searches; /* corrections that were shortened */
    int32_t is_constrained;
} limber_step_report;

typedef struct limber_constraint_report {
    double position_error;    /* the largest, m */
    double orientation_error; /* the largest, rad */
    double fraction;          /* of the correction that the energy budget allowed */
    int32_t iterations;
    int32_t is_constrained; /* 0: the body has no constraints, all else is 0 */
} limber_constraint_report;

typedef struct limber_progress {
    int64_t step, steps; /* made, and in all */
    int64_t is_running;  /* 0: no replay, all else is 0 */
} limber_progress;

typedef struct limber_statics_numbers {
    int32_t rank;           /* columns */
    int32_t is_modal;       /* they are LIMBER_WARP_MODES; else LIMBER_BASIS */
    int32_t softest_vertex; /* of the surface */
} limber_statics_numbers;

typedef struct limber_shapes_numbers {
    double error;  /* m */
    int32_t count; /* shapes */
    int32_t frames;
} limber_shapes_numbers;

/* Writes the displacements of a frame, 3 numbers a vertex, m. Returns 0; anything else: it failed, and so does the call
   that asked. */
typedef int32_t (*limber_field)(void* user, size_t frame, double* out, size_t count);

/* One piece of a step; limber gives it to limber_parallel_for, with the data that it gives as well. */
typedef void (*limber_task)(void* data, int32_t index);
/* Threads are the caller's: calls task(data, i) for every i from 0 to count - 1, in any order and in any threads, and
   returns when all these calls have returned. It uses no function on the world that is stepped. Each call does a piece
   that is still open, whichever it names, and what is left out is done by the step itself. */
typedef void (*limber_parallel_for)(void* context, int32_t count, limber_task task, void* data);

/* functions.json: begin (written by write_interface.py) */

/* ---- Errors and memory ---- */

/* What was wrong with this thread's last call that failed, as JSON: where, problem, try_this. */
LIMBER_API const char* limber_error(void);

/* A status as a word: ok, refused, null, bad-handle, wrong-kind, wrong-size, bad-pointer, no-body, no-memory,
   failed. */
LIMBER_API const char* limber_status_word(limber_status status);

/* Memory for arguments, for callers without an allocator of their own, as in WebAssembly; null: none is left.
   */
LIMBER_API void* limber_alloc(size_t bytes);

/* Gives memory of limber_alloc back; null does nothing. */
LIMBER_API void limber_free(void* memory);

/* Every setting, by the name of its struct: name, kind, unit, range, default, words, a sentence. */
LIMBER_API limber_status limber_fields(const char** json);

/* ---- Models ---- */

/* Reads the bytes of a model file (.glb). */
LIMBER_API limber_status limber_model_load(const void* bytes, size_t size, limber_model** model);

/* Ends a handle; worlds that use the model keep it. */
LIMBER_API limber_status limber_model_free(limber_model* model);

/* What the model is: name, rank, methods, counts, frequencies, groups. */
LIMBER_API limber_status limber_model_info(limber_model* model, const char** json);

/* How many numbers an array of limber_floats has. */
LIMBER_API limber_status limber_model_floats_count(limber_model* model, int32_t which, size_t* count);

/* Copies an array of limber_floats. */
LIMBER_API limber_status limber_model_floats(limber_model* model, int32_t which, float* out, size_t count);

/* How many numbers an array of limber_ints has. */
LIMBER_API limber_status limber_model_ints_count(limber_model* model, int32_t which, size_t* count);

/* Copies an array of limber_ints. */
LIMBER_API limber_status limber_model_ints(limber_model* model, int32_t which, int32_t* out, size_t count);

/* A tree of domains: parts (name, rank, vertices, triangles) and domains (name, part, parent; position,
   rotation and scale at rest in the body's frame), parents first, their vertices and coordinates one after
   another; a vertex is at position + orientation · scale · (X + Uq). null: the model is none. */
LIMBER_API limber_status limber_model_tree(limber_model* model, const char** json);

/* ---- Worlds ---- */

/* An empty world; gravity is 3 numbers, m/s², null for none. */
LIMBER_API limber_status limber_world_create(const double* gravity, limber_world** world);

#ifndef __wasm__
/* The same, with threads: steps of this world and of its clones share their work out by run(context, ...);
   run and context outlive them all. The bytes of a result do not depend on it. run may be null: a step is
   made by the thread that asks for it. Not in WebAssembly, which has one thread. */
LIMBER_API limber_status limber_world_create_parallel(const double* gravity, limber_parallel_for run,
                                                      void* context, limber_world** world);
#endif

/* A second world that goes on bit by bit, with the same numbers, models and time step; it neither records nor
   replays, and another thread may use it. */
LIMBER_API limber_status limber_world_clone(limber_world* world, limber_world** copy);

/* Ends a world and its bodies. */
LIMBER_API limber_status limber_world_free(limber_world* world);

/* Gives a model the name that inputs and recordings call it. */
LIMBER_API limber_status limber_world_add_model(limber_world* world, const char* name, size_t size,
                                                limber_model* model);

/* One input as JSON (docs/recording.md), such as { add } or { body, pull }; recorded where it succeeds. */
LIMBER_API limber_status limber_world_apply(limber_world* world, const char* input, size_t size);

/* The time step from here on, s; recorded. */
LIMBER_API limber_status limber_world_set_dt(limber_world* world, double dt);

/* Time, time step, steps made, gravity. */
LIMBER_API limber_status limber_world_clock(limber_world* world, limber_clock* clock);

/* The wind and how long its gusts blow, as { wind } of limber_world_apply takes it; null: there is no air. */
LIMBER_API limber_status limber_world_wind(limber_world* world, const char** json);

/* Up to count steps, fewer where a replay ends; steps may be null. */
LIMBER_API limber_status limber_world_step(limber_world* world, int32_t count, limber_steps* steps);

/* The bodies in the order of their numbers: number, name, method, mount, model, and how many coordinates,
   shape_coordinates, vertices. */
LIMBER_API limber_status limber_world_bodies(limber_world* world, const char** json);

/* The number of the body of that name. */
LIMBER_API limber_status limber_world_find(limber_world* world, const char* name, size_t size,
                                           uint32_t* body);

/* All that the future of the world depends on; the state outlives the world. */
LIMBER_API limber_status limber_world_save(limber_world* world, limber_state** state);

/* Goes back to a state of this world, bit by bit; refused while recording or replaying. */
LIMBER_API limber_status limber_world_restore(limber_world* world, limber_state* state);

/* Ends a state of a world or of a body. */
LIMBER_API limber_status limber_state_free(limber_state* state);

/* ---- Contact ---- */

/* How things touch, as { contact } of limber_world_apply takes it; null: contact is off. */
LIMBER_API limber_status limber_world_contact_settings(limber_world* world, const char** json);

/* Contact in the last step: enabled, stiffness (Pa/m), margin (m), points, touching, islands, asleep,
   iterations, linearizations, residual, depth (m), speed_error (m/s); limits that were reached:
   not_converged, speeds_off, radii_unsettled, reverted (islands), left_out (contacts), cut_short (pairs of
   bodies), refused (bodies and obstacles). */
LIMBER_API limber_status limber_world_contact_report(limber_world* world, const char** json);

/* How many numbers limber_world_contacts copies: LIMBER_CONTACT_NUMBERS for each contact. */
LIMBER_API limber_status limber_world_contacts_count(limber_world* world, size_t* count);

/* Copies the contacts of the last step. */
LIMBER_API limber_status limber_world_contacts(limber_world* world, double* out, size_t count);

/* The obstacles in the order of their numbers: number, name, shape, position, rotation, friction, layer. */
LIMBER_API limber_status limber_world_obstacles(limber_world* world, const char** json);

/* The number of the obstacle of that name. */
LIMBER_API limber_status limber_world_find_obstacle(limber_world* world, const char* name, size_t size,
                                                    uint32_t* obstacle);

/* What moves the obstacle now, as a list of inputs that limber_world_apply takes: place with velocities,
   shake or follow. */
LIMBER_API limber_status limber_obstacle_inputs(limber_world* world, uint32_t obstacle, const char** json);

/* ---- Haptic devices ---- */

/* The devices in the order of their numbers: number, name, settings, position, proxy, proxy_velocity, force,
   contacts, coupling, passivity, readings. */
LIMBER_API limber_status limber_world_devices(limber_world* world, const char** json);

/* The number of the device of that name. */
LIMBER_API limber_status limber_world_find_device(limber_world* world, const char* name, size_t size,
                                                  uint32_t* device);

/* Where the device is at the end of the next step (3 numbers, m), as it was read: also NaN or far away;
   recorded. */
LIMBER_API limber_status limber_device_move(limber_world* world, uint32_t device, const double* position);

/* Copies LIMBER_DEVICE_NUMBERS numbers: where device and proxy are, the force to the hand, what was counted
   and observed. */
LIMBER_API limber_status limber_device_numbers(limber_world* world, uint32_t device, double* out,
                                               size_t count);

/* Between a driver's thread and a simulation's: the period (s), viscous damping (N s/m) and delay (s) of the
   device, the largest force (N) and speed (m/s). */
LIMBER_API limber_status limber_link_create(double period, double damping, double delay, double max_force,
                                            double max_speed, limber_link** link);

/* Ends a link that no thread uses any more. */
LIMBER_API limber_status limber_link_free(limber_link* link);

/* The driver's call: the position that it read (3, m) in, the force for the hand (3, N) out; events are bits
   of limber_link_event. Bounded in time, takes no memory and no lock. */
LIMBER_API limber_status limber_link_exchange(limber_link* link, const double* position, double* force,
                                              uint32_t* events);

/* The simulation's call before a step: the last position (3, m), finite and without jumps, and how many there
   were. */
LIMBER_API limber_status limber_link_read(limber_link* link, double* position, double* readings);

/* The simulation's call after a step: the force to the hand (3, N). */
LIMBER_API limber_status limber_link_answer(limber_link* link, const double* force);

/* Copies LIMBER_LINK_NUMBERS numbers: what was counted and observed so far; for any thread. */
LIMBER_API limber_status limber_link_numbers(limber_link* link, double* out, size_t count);

/* ---- Recordings ---- */

/* Records from the present on. */
LIMBER_API limber_status limber_recording_start(limber_world* world);

/* The recording so far as a scene; null (the word) where nothing is recorded. */
LIMBER_API limber_status limber_recording_text(limber_world* world, const char** json);

/* The same, and ends the recording. */
LIMBER_API limber_status limber_recording_stop(limber_world* world, const char** json);

/* Bodies, gravity and time step of a scene in place of those here, and its inputs at their steps. */
LIMBER_API limber_status limber_replay_start(limber_world* world, const char* scene, size_t size);

/* How far the replay is. */
LIMBER_API limber_status limber_replay_progress(limber_world* world, limber_progress* progress);

/* Why the replay ended early, as limber_error; null (the word) where it did not. */
LIMBER_API limber_status limber_replay_problem(limber_world* world, const char** json);

/* Ends the replay; the bodies move on. */
LIMBER_API limber_status limber_replay_stop(limber_world* world);

/* ---- Bodies of a world, by their numbers ---- */

/* How many numbers an array of limber_numbers has. */
LIMBER_API limber_status limber_body_numbers_count(limber_world* world, uint32_t body, int32_t which,
                                                   size_t* count);

/* Copies an array of limber_numbers. */
LIMBER_API limber_status limber_body_numbers(limber_world* world, uint32_t body, int32_t which, double* out,
                                             size_t count);

/* What the input "set" takes: all settings of the body's method but for gravity, which is the world's;
   friction and layer where it has its own. */
LIMBER_API limber_status limber_body_settings(limber_world* world, uint32_t body, const char** json);

/* What acts on the body now, as a list of inputs that limber_world_apply takes: support, shake or follow,
   constraints, forces, pull. */
LIMBER_API limber_status limber_body_inputs(limber_world* world, uint32_t body, const char** json);

/* What the body is made of now, as a handle of its own: not the model that was added where the body came off
   a tree, or domains of it were replaced. */
LIMBER_API limber_status limber_body_model(limber_world* world, uint32_t body, limber_model** model);

/* What the last step of the body says about itself. */
LIMBER_API limber_status limber_body_report(limber_world* world, uint32_t body, limber_step_report* report);

/* What the last step left of the targets of its constraints. */
LIMBER_API limber_status limber_body_constraints(limber_world* world, uint32_t body,
                                                 limber_constraint_report* report);

/* One vector of limber_vectors for each of these vertices of the surface, 3 numbers each. */
LIMBER_API limber_status limber_body_vertices(limber_world* world, uint32_t body, int32_t which,
                                              const int32_t* vertices, size_t vertex_count, double* out,
                                              size_t count);

/* Displacement (m) and unit normals of the whole surface in the body's frame, 3 numbers a vertex; either may
   be null. */
LIMBER_API limber_status limber_body_surface(limber_world* world, uint32_t body, float* displacement,
                                             float* normals, size_t count);

/* A stiffness for pulling at a vertex by a spring, N/m; 0: the vertex cannot move. */
LIMBER_API limber_status limber_body_suggest_pull_stiffness(limber_world* world, uint32_t body,
                                                            int32_t vertex, double dt, double* stiffness);

/* The coordinates in balance under gravity and these forces (3 numbers each, N, world axes); the body stays
   as it is. */
LIMBER_API limber_status limber_body_balance(limber_world* world, uint32_t body, const int32_t* vertices,
                                             const double* forces, size_t force_count, double* q,
                                             size_t count, limber_step_report* report);

/* How the body is shaped and moves; not its settings, nor what acts on it. The state outlives body and world.
   */
LIMBER_API limber_status limber_body_save(limber_world* world, uint32_t body, limber_state** state);

/* Gives the body a state of limber_body_save, its own or that of another body of the same method, mount and
   model, bit by bit; refused while recording or replaying. */
LIMBER_API limber_status limber_body_restore(limber_world* world, uint32_t body, limber_state* state);

/* ---- Numerics of a model ---- */

/* Small vibrations of the reduced model about rest: r frequencies, Hz, ascending, and r columns of r
   coordinates. */
LIMBER_API limber_status limber_model_modes(limber_model* model, const char* settings, size_t size,
                                            double* frequencies, size_t frequency_count, double* shapes,
                                            size_t shape_count);

/* How mode i changes along mode j, r coordinates. */
LIMBER_API limber_status limber_model_modal_derivative(limber_model* model, const char* settings, size_t size,
                                                       int32_t i, int32_t j, double* out, size_t count);

/* How fast this shape would vibrate without the others, Hz. */
LIMBER_API limber_status limber_model_rayleigh_frequency(limber_model* model, const char* settings,
                                                         size_t size, const double* q, size_t count,
                                                         double* frequency);

/* SELECT on the surface of a model: its vertices, ascending; room for all of them is enough. */
LIMBER_API limber_status limber_model_select(limber_model* model, const char* text, size_t size, int32_t* out,
                                             size_t room, size_t* found);

/* SELECT on points, 3 numbers each, m. */
LIMBER_API limber_status limber_select_points(const char* text, size_t size, const double* positions,
                                              size_t position_count, int32_t* out, size_t room,
                                              size_t* found);

/* The linear static model u = Φq, q = C Φᵀf of the modes, or of the reduced basis at rest. */
LIMBER_API limber_status limber_statics_create(limber_model* model, limber_statics** statics);

/* Ends a linear static model. */
LIMBER_API limber_status limber_statics_free(limber_statics* statics);

/* Columns of Φ, whether they are modes, and the vertex that gives way most. */
LIMBER_API limber_status limber_statics_info(limber_statics* statics, limber_statics_numbers* numbers);

/* The coordinates under these forces, 3 numbers each, N. */
LIMBER_API limber_status limber_statics_coordinates(limber_statics* statics, const int32_t* vertices,
                                                    const double* forces, size_t force_count, double* q,
                                                    size_t count);

/* How a vertex gives way to a force at itself: 3 x 3 numbers, m/N, symmetric. */
LIMBER_API limber_status limber_statics_compliance(limber_statics* statics, int32_t vertex, double* out,
                                                   size_t count);

/* The force, N, of a spring whose far end is distance (3 numbers, m) from the vertex at rest; 0 where the
   vertex is fixed. */
LIMBER_API limber_status limber_statics_spring_force(limber_statics* statics, int32_t vertex,
                                                     const double* distance, double* force,
                                                     int32_t* is_fixed);

/* The fewest shapes, at most so many, whose weighted sums are within tolerance (m) of every frame's size
   numbers; frames are asked for more than once. */
LIMBER_API limber_status limber_shapes_create(limber_field field, void* user, size_t size, size_t frames,
                                              double tolerance, int32_t most, limber_shapes** shapes);

/* Ends a set of shapes. */
LIMBER_API limber_status limber_shapes_free(limber_shapes* shapes);

/* How many shapes, and the largest distance from a frame, m. */
LIMBER_API limber_status limber_shapes_info(limber_shapes* shapes, limber_shapes_numbers* numbers);

/* The orthonormal shapes one behind the other, and the weights, frame by frame. */
LIMBER_API limber_status limber_shapes_copy(limber_shapes* shapes, float* out, size_t count, double* weights,
                                            size_t weight_count);

#ifdef __wasm__
/* In WebAssembly: a limber_field that calls the import limber.field(user, frame, out, count). */
LIMBER_API limber_field limber_js_field(void);
#endif

/* functions.json: end */

#ifdef __cplusplus
}
#endif
#endif
