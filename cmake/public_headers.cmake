# Headers that are the library's interface, below src/limber: they are installed, and what they declare is what the shared
# library exports. The others may change with any version. A new public header is added here and nowhere else. Headers that
# these include come along (cmake/install_headers.cmake): a caller's compiler needs them, but nobody should include them. What is
# said of each at its top is installed as a list, share/doc/liblimber-dev/headers.md.
set(LIMBER_PUBLIC_HEADERS
  input_error.h result.h words.h
  integrate/step_report.h
  model/appearance.h model/brick_quadrature.h model/domains_model.h model/material.h model/model.h model/model_file.h
  model/stvk_model.h model/up_axis.h model/vertex_force.h model/warp_model.h
  select/select.h select/select_on_model.h
  rigid/frame.h rigid/mass_properties.h rigid/rigid_body.h rigid/support_path.h
  reduced/free_state.h reduced/free_stvk_body.h reduced/modes.h reduced/statics.h reduced/stvk_body.h
  warp/constraint_motion.h warp/constraints.h warp/oscillators.h warp/statics.h warp/warp_body.h warp/warping.h
  domains/domain_tree.h domains/domains_body.h domains/subtree.h domains/wind.h
  contact/contact_settings.h contact/distance_field.h contact/self_contact.h contact/shape.h
  settings/field_range.h settings/json_cursor.h settings/method.h
  haptics/coupling.h haptics/device_input.h haptics/device_link.h haptics/device_settings.h haptics/hand_path.h
  haptics/latest_value.h haptics/passivity_observer.h haptics/simulated_device.h
  world/body_settings.h world/contact_report.h world/device.h world/device_json.h world/input.h world/input_json.h
  world/mount.h world/obstacle.h world/obstacle_json.h world/parallel_for.h world/session.h world/world.h world/world_body.h)

# For the shared library: every source begins with these headers, in a region where names are visible from outside; all
# other names are hidden (-fvisibility=hidden). So no header needs marks, and a name is public because of where it stands.
set(LIMBER_VISIBLE ${PROJECT_BINARY_DIR}/visible.h)
list(TRANSFORM LIMBER_PUBLIC_HEADERS REPLACE "(.+)" "#include <limber/\\1>\n" OUTPUT_VARIABLE includes)
string(CONCAT visible "// What the shared library exports: written by cmake/public_headers.cmake.\n#pragma once\n"
  "#pragma GCC visibility push(default)\n" ${includes} "#pragma GCC visibility pop\n")
file(CONFIGURE OUTPUT ${LIMBER_VISIBLE} CONTENT "${visible}" @ONLY)

# Compiles a target of the run-time library so that its objects may also go into the shared one.
function(limber_hide_private_names TARGET)
  if(LIMBER_SHARED)
    set_target_properties(${TARGET} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${TARGET} PRIVATE -fvisibility=hidden -fno-semantic-interposition
      "SHELL:-include ${LIMBER_VISIBLE}")
  endif()
endfunction()
