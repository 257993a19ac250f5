# cmake --install: the run-time library, its public headers, the interface in C, and what find_package(limber) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Headers that are the library's interface; the others may change with any version.
set(LIMBER_PUBLIC_HEADERS
  input_error.h result.h words.h
  integrate/step_report.h
  model/appearance.h model/material.h model/model.h model/model_file.h model/stvk_model.h model/up_axis.h model/vertex_force.h
  model/warp_model.h
  select/select.h select/select_on_model.h
  rigid/frame.h rigid/mass_properties.h rigid/rigid_body.h rigid/support_path.h
  reduced/modes.h reduced/statics.h reduced/stvk_body.h
  warp/constraint_motion.h warp/constraints.h warp/oscillators.h warp/statics.h warp/warp_body.h warp/warping.h
  settings/field_range.h settings/json_cursor.h settings/method.h
  world/body_settings.h world/input.h world/input_json.h world/session.h world/world.h world/world_body.h)
foreach(header ${LIMBER_PUBLIC_HEADERS})
  # A public header that includes another one would not compile where that is not installed.
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/limber/${header} lines REGEX "^#include [<\"]limber/")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include [<\"]limber/([^>\"]+)[>\"].*" "\\1" included "${line}")
    if(NOT included IN_LIST LIMBER_PUBLIC_HEADERS)
      message(FATAL_ERROR "limber/${header} is public and includes limber/${included}, which is not (cmake/install.cmake)")
    endif()
  endforeach()
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/src/limber/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber/${folder})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/bindings/c/limber.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# limber/version.h, with the commit where git knows it.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE LIMBER_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/include/limber/version.h @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/include/limber/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber)

# Matrices cross the interface: a caller must align them as the library does, whatever instructions it is compiled for.
set(probe ${PROJECT_BINARY_DIR}/eigen_alignment.cpp)
file(WRITE ${probe} "#include <Eigen/Core>\n#include <cstdio>\nint main() { std::printf(\"%d\", EIGEN_MAX_ALIGN_BYTES); }\n")
get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
set(probe_flags)
if(LIMBER_NATIVE)
  set(probe_flags -march=native)
endif()
try_run(probe_ran probe_compiled ${PROJECT_BINARY_DIR}/eigen_alignment ${probe}
  CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${eigen_include}" COMPILE_DEFINITIONS ${probe_flags}
  RUN_OUTPUT_VARIABLE LIMBER_EIGEN_ALIGN)
if(NOT probe_compiled OR NOT probe_ran EQUAL 0)
  message(FATAL_ERROR "how Eigen aligns matrices here could not be found out")
endif()
target_compile_definitions(limber INTERFACE $<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=${LIMBER_EIGEN_ALIGN}>)
target_include_directories(limber INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(limber INTERFACE cxx_std_20)

install(TARGETS limber limber_c EXPORT limberTargets)
install(EXPORT limberTargets NAMESPACE limber:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/limberConfig.cmake.in ${PROJECT_BINARY_DIR}/limberConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/limberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limberConfig.cmake ${PROJECT_BINARY_DIR}/limberConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
