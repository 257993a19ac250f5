// SPDX-License-Identifier: Apache-2.0
// The scenes as Bullet 3.24 plays them, in double precision. Reduced deformable bodies are given the linear
// modes of limber's own elements with lumped masses; deformable ones Bullet's linear elasticity on the same
// tetrahedra, implicit. Settings are those of Bullet's own examples.
#include "benchmarks/bullet_scenes.h"

#include "build/fem/assemble.h"
#include "build/fem/modes.h"

#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBody.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableLinearElasticityForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace limber::bench {

using Eigen::Vector3d;

namespace {

constexpr double kMargin = 1e-3;  // m: Bullet keeps things so far apart

btVector3 bullet(const Vector3d& x) {
    return {x.x(), x.y(), x.z()};
}
Vector3d eigen(const btVector3& x) {
    return {x.x(), x.y(), x.z()};
}

// What a world of Bullet is made of, destroyed after it.
struct Parts {
    std::unique_ptr<btCollisionConfiguration> configuration;
    std::unique_ptr<btCollisionDispatcher> dispatcher;
    std::unique_ptr<btBroadphaseInterface> broadphase = std::make_unique<btDbvtBroadphase>();
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMotionState>> motions;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    btRigidBody* add_box(const Vector3d& size, const Vector3d& place, double mass, double friction) {
        shapes.push_back(std::make_unique<btBoxShape>(bullet(size / 2)));
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shapes.back()->calculateLocalInertia(mass, inertia);
        btTransform pose = btTransform::getIdentity();
        pose.setOrigin(bullet(place));
        motions.push_back(std::make_unique<btDefaultMotionState>(pose));
        bodies.push_back(std::make_unique<btRigidBody>(btRigidBody::btRigidBodyConstructionInfo(
            mass, motions.back().get(), shapes.back().get(), inertia)));
        bodies.back()->setFriction(friction);
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        return bodies.back().get();
    }
    btRigidBody* add_floor(double friction) { return add_box({10, 10, 1}, {0, 0, -0.5}, 0, friction); }
};

struct SoftScene : Parts {
    std::unique_ptr<btDeformableBodySolver> solver;
    std::unique_ptr<btDeformableMultiBodyConstraintSolver> constraints;
    std::vector<std::unique_ptr<btDeformableLagrangianForce>> forces;
    std::unique_ptr<btSoftBody> body;
    std::unique_ptr<btDeformableMultiBodyDynamicsWorld> world;
    btReducedDeformableBody* reduced = nullptr;
    Vector3d gravity;
    double stiffness_scale = 1;

    ~SoftScene() {
        if (!world) return;
        world->removeSoftBody(body.get());
        for (const auto& each : bodies)
            world->removeRigidBody(each.get());
    }
};

// Nodes, tetrahedra and faces of the mesh.
template <class Body>
std::unique_ptr<Body> body_of(const build::VolumeMesh& mesh, double height, btSoftBodyWorldInfo* info) {
    std::vector<btVector3> nodes;
    for (const Vector3d& x : mesh.vertices)
        nodes.push_back(bullet(x + Vector3d(0, 0, height)));
    const std::vector<btScalar> masses(nodes.size(), 1);
    auto body = std::make_unique<Body>(info, static_cast<int>(nodes.size()), nodes.data(), masses.data());
    for (const auto& tet : mesh.tets) {
        body->appendTetra(tet[0], tet[1], tet[2], tet[3]);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j)
                body->appendLink(tet[static_cast<std::size_t>(i)], tet[static_cast<std::size_t>(j)], nullptr,
                                 true);
    }
    btSoftBodyHelpers::generateBoundaryFaces(body.get());
    body->initializeDmInverse();
    body->m_tetraScratches.resize(body->m_tetras.size());
    body->m_tetraScratchesTn.resize(body->m_tetras.size());
    return body;
}

void collide(btSoftBody& body, double friction) {
    body.getCollisionShape()->setMargin(kMargin);
    body.m_cfg.kKHR = 1;
    body.m_cfg.kCHR = 1;
    body.m_cfg.kDF = friction;
    body.m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN;
    body.m_sleepingThreshold = 0;
    body.setActivationState(DISABLE_DEACTIVATION);
}

std::vector<double> lumped_masses(const build::FemModel& full) {
    const build::SparseMatrix M = build::mass_matrix(full, build::MassKind::Lumped);
    std::vector<double> out;
    for (Eigen::Index v = 0; v < full.vertex_count(); ++v)
        out.push_back(M.coeff(3 * v, 3 * v));
    return out;
}

void use_modes(btReducedDeformableBody& body, const SoftBlock& block) {
    build::MaterialMap materials;
    materials.groups = {{"default", {block.young, block.poisson, block.density}}};
    const build::FemModel full(block.mesh, materials, {});
    const build::ModesResult modes =
        build::solve_modes(full, {.count = block.modes, .mass = build::MassKind::Lumped});
    body.setReducedModes(block.modes, body.m_nodes.size());
    body.m_modes.resize(block.modes);
    body.m_eigenvalues.resize(block.modes);
    body.m_Kr.resize(block.modes);
    for (int i = 0; i < block.modes; ++i) {
        body.m_eigenvalues[i] = body.m_Kr[i] = modes.eigenvalues[i];
        body.m_modes[i].resize(static_cast<int>(modes.shapes.rows()));
        for (Eigen::Index row = 0; row < modes.shapes.rows(); ++row)
            body.m_modes[i][static_cast<int>(row)] = modes.shapes(row, i);
    }
    btReducedDeformableBody::tDenseArray masses;
    for (const double mass : lumped_masses(full))
        masses.push_back(mass);
    body.setMassProps(masses);
    body.setInertiaProps();
    body.internalInitialization();
    body.setDamping(block.alpha, block.beta);
}

double energy_of(SoftScene& scene) {
    double sum = 0;
    for (int i = 0; i < scene.body->m_nodes.size(); ++i) {
        const btSoftBody::Node& node = scene.body->m_nodes[i];
        const double mass = scene.reduced ? scene.reduced->m_nodalMass[i] : 1 / node.m_im;
        sum += mass * (0.5 * eigen(node.m_v).squaredNorm() - scene.gravity.dot(eigen(node.m_x)));
    }
    if (scene.reduced)
        for (int i = 0; i < scene.reduced->m_nReduced; ++i)
            sum += 0.5 * scene.reduced->m_Kr[i] * scene.reduced->m_reducedDofs[i] *
                   scene.reduced->m_reducedDofs[i];
    else
        for (const auto& force : scene.forces)
            if (force->getForceType() == BT_LINEAR_ELASTICITY_FORCE) sum += force->totalElasticEnergy(0);
    return sum;
}

Player player_of(const std::shared_ptr<SoftScene>& scene) {
    Player out;
    out.step = [scene](double dt) { scene->world->stepSimulation(dt, 0); };
    out.energy = [scene] { return energy_of(*scene); };
    out.lowest = [scene] {
        double lowest = 1;
        for (int i = 0; i < scene->body->m_nodes.size(); ++i)
            lowest = std::min(lowest, static_cast<double>(scene->body->m_nodes[i].m_x.z()));
        return kMargin - lowest;
    };
    out.places = [scene] {
        Vector3d sum = Vector3d::Zero();
        for (int i = 0; i < scene->body->m_nodes.size(); ++i)
            sum += eigen(scene->body->m_nodes[i].m_x);
        return std::vector<Vector3d>{sum / scene->body->m_nodes.size()};
    };
    return out;
}

}  // namespace

Player bullet_block(const SoftBlock& block, BulletBlock kind) {
    const auto scene = std::make_shared<SoftScene>();
    scene->gravity = block.gravity;
    scene->configuration = std::make_unique<btSoftBodyRigidBodyCollisionConfiguration>();
    scene->dispatcher = std::make_unique<btCollisionDispatcher>(scene->configuration.get());
    if (kind == BulletBlock::Reduced)
        scene->solver = std::make_unique<btReducedDeformableBodySolver>();
    else
        scene->solver = std::make_unique<btDeformableBodySolver>();
    scene->constraints = std::make_unique<btDeformableMultiBodyConstraintSolver>();
    scene->constraints->setDeformableSolver(scene->solver.get());
    scene->world = std::make_unique<btDeformableMultiBodyDynamicsWorld>(
        scene->dispatcher.get(), scene->broadphase.get(), scene->constraints.get(),
        scene->configuration.get(), scene->solver.get());
    btDeformableMultiBodyDynamicsWorld& world = *scene->world;
    world.setGravity(bullet(block.gravity));
    world.getWorldInfo().m_gravity = bullet(block.gravity);
    world.addRigidBody(scene->add_floor(1));

    if (kind == BulletBlock::Reduced) {
        auto body = body_of<btReducedDeformableBody>(block.mesh, block.height, &world.getWorldInfo());
        use_modes(*body, block);
        scene->reduced = body.get();
        scene->body = std::move(body);
        world.setImplicit(false);
        world.setUseProjection(false);
    } else {
        scene->body = body_of<btSoftBody>(block.mesh, block.height, &world.getWorldInfo());
        build::MaterialMap materials;
        materials.groups = {{"default", {block.young, block.poisson, block.density}}};
        const std::vector<double> masses = lumped_masses(build::FemModel(block.mesh, materials, {}));
        for (int i = 0; i < scene->body->m_nodes.size(); ++i)
            scene->body->setMass(i, masses[static_cast<std::size_t>(i)]);
        world.setImplicit(true);
        world.setUseProjection(true);
    }
    world.setLineSearch(false);
    collide(*scene->body, block.friction);
    world.addSoftBody(scene->body.get());
    if (kind == BulletBlock::Deformable) {
        const double mu = block.young / (2 * (1 + block.poisson));
        const double lambda = block.young * block.poisson / ((1 + block.poisson) * (1 - 2 * block.poisson));
        scene->forces.push_back(
            std::make_unique<btDeformableLinearElasticityForce>(mu, lambda, block.alpha, block.beta));
        scene->forces.push_back(std::make_unique<btDeformableGravityForce>(bullet(block.gravity)));
        for (const auto& force : scene->forces)
            world.addForce(scene->body.get(), force.get());
    }
    btContactSolverInfo& info = world.getSolverInfo();
    info.m_deformable_erp = 0.2;
    info.m_deformable_cfm = 0.2;
    info.m_deformable_maxErrorReduction = 200;
    info.m_leastSquaresResidualThreshold = 1e-6;
    info.m_splitImpulse = false;
    info.m_numIterations = 200;
    return player_of(scene);
}

Player bullet_stack(const BoxStack& stack, int iterations) {
    struct Scene : Parts {
        std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
        std::unique_ptr<btDiscreteDynamicsWorld> world;
        ~Scene() {
            for (const auto& each : bodies)
                world->removeRigidBody(each.get());
        }
    };
    const auto scene = std::make_shared<Scene>();
    scene->configuration = std::make_unique<btDefaultCollisionConfiguration>();
    scene->dispatcher = std::make_unique<btCollisionDispatcher>(scene->configuration.get());
    scene->solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    scene->world = std::make_unique<btDiscreteDynamicsWorld>(scene->dispatcher.get(), scene->broadphase.get(),
                                                             scene->solver.get(), scene->configuration.get());
    scene->world->setGravity({0, 0, -9.81});
    scene->world->getSolverInfo().m_numIterations = iterations;
    scene->world->addRigidBody(scene->add_floor(stack.friction));
    const double mass = stack.size.prod() * stack.density;
    for (int i = 0; i < stack.count; ++i) {
        const Vector3d place(0, 0, (i + 0.5) * stack.size.z() + (i + 1) * stack.apart);
        scene->world->addRigidBody(scene->add_box(
            stack.size, place, mass * (i + 1 == stack.count ? stack.heavy : 1), stack.friction));
    }
    Player out;
    out.step = [scene](double dt) { scene->world->stepSimulation(dt, 0); };
    out.energy = [scene] {
        double sum = 0;
        for (const auto& body : scene->bodies) {
            if (body->getMass() == 0) continue;
            const Vector3d v = eigen(body->getLinearVelocity());
            sum += body->getMass() * (0.5 * v.squaredNorm() + 9.81 * body->getCenterOfMassPosition().z());
            const btVector3 spin = body->getAngularVelocity();
            sum += 0.5 * spin.dot(body->getInvInertiaTensorWorld().inverse() * spin);
        }
        return sum;
    };
    out.lowest = [scene] {
        double deepest = 0;
        for (int i = 0; i < scene->dispatcher->getNumManifolds(); ++i) {
            const btPersistentManifold* manifold = scene->dispatcher->getManifoldByIndexInternal(i);
            for (int j = 0; j < manifold->getNumContacts(); ++j)
                deepest = std::max(deepest, -static_cast<double>(manifold->getContactPoint(j).getDistance()));
        }
        return deepest;
    };
    out.places = [scene] {
        std::vector<Vector3d> places;
        for (const auto& body : scene->bodies)
            if (body->getMass() > 0) places.push_back(eigen(body->getCenterOfMassPosition()));
        return places;
    };
    return out;
}

}  // namespace limber::bench
