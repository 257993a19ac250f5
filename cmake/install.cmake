# cmake --install: the run-time library, its public headers, the interface in C, and what find_package(limber) reads; the
# program with its page and the Python module where they are built. Each of the three is a component (cmake/package.cmake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(CODE "
  set(headers ${LIMBER_PUBLIC_HEADERS})
  set(from ${PROJECT_SOURCE_DIR}/src/limber)
  set(to ${CMAKE_INSTALL_INCLUDEDIR}/limber)
  set(doc share/doc/liblimber-dev)" COMPONENT library)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/bindings/c/limber.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

# What the headers and inputs as JSON refer to, and a project to begin with.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION share/doc/liblimber-dev COMPONENT library
  PATTERN pictures EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/library ${PROJECT_SOURCE_DIR}/examples/window
  DESTINATION share/doc/liblimber-dev/examples COMPONENT library PATTERN build EXCLUDE)
install(FILES ${LIMBER_VERSION_FOLDER}/limber/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber COMPONENT library)

# Matrices cross the interface: a caller must align them as the library does, whatever instructions it is compiled for. The
# first number is an upper bound of what Eigen would choose by itself; the second one sets it for matrices of fixed size.
set(probe ${PROJECT_BINARY_DIR}/eigen_alignment.cpp)
file(WRITE ${probe} "#include <Eigen/Core>\n#include <cstdio>\nint main() { std::printf(\"%d;%d\", EIGEN_MAX_ALIGN_BYTES, EIGEN_MAX_STATIC_ALIGN_BYTES); }\n")
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
list(GET LIMBER_EIGEN_ALIGN 0 any_size)
list(GET LIMBER_EIGEN_ALIGN 1 fixed_size)
set(libraries limber limber_c)
if(LIMBER_SHARED)
  list(APPEND libraries limber_shared)
endif()
foreach(library ${libraries})
  target_compile_definitions(${library} INTERFACE
    $<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=${any_size}> $<INSTALL_INTERFACE:EIGEN_MAX_STATIC_ALIGN_BYTES=${fixed_size}>)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${library} INTERFACE cxx_std_20)
endforeach()
install(TARGETS ${libraries} EXPORT limberTargets COMPONENT library)
install(EXPORT limberTargets NAMESPACE limber:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber COMPONENT library)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/limberConfig.cmake.in ${PROJECT_BINARY_DIR}/limberConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/limberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/limberConfig.cmake ${PROJECT_BINARY_DIR}/limberConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber COMPONENT library)

if(TARGET limber_program)
  install(TARGETS limber_program COMPONENT program)
endif()
if(TARGET limber_web)
  # Where the program looks for it: src/studio/page_files.cpp.
  install(DIRECTORY ${PROJECT_BINARY_DIR}/web/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/limber/web COMPONENT program)
endif()
if(TARGET limber_python)
  install(TARGETS limber_python DESTINATION lib/python3/dist-packages COMPONENT python)
  install(FILES ${PROJECT_SOURCE_DIR}/bindings/python/limber.pyi DESTINATION lib/python3/dist-packages COMPONENT python)
endif()
