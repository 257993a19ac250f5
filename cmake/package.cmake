# cpack: .deb files of the components that are built (cmake/install.cmake). What each needs of Debian's libraries is found
# by dpkg-shlibdeps; what its licences are is said in its copyright file.
#     cmake --preset portable && cmake --build --preset portable && cpack --config build/portable/CPackConfig.cmake
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME limber)
set(CPACK_PACKAGE_VENDOR limber)
set(CPACK_PACKAGE_CONTACT "limber <limber@users.noreply.example>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# limber_package(COMPONENT NAME SECTION DEPENDS DESCRIPTION): the first line of the description is the summary.
set(CPACK_COMPONENTS_ALL)
macro(limber_package COMPONENT NAME SECTION DEPENDS DESCRIPTION)
  string(TOUPPER ${COMPONENT} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${COMPONENT})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${NAME})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${SECTION})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${DEPENDS}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${DESCRIPTION}")
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian/${NAME}.copyright DESTINATION share/doc/${NAME} RENAME copyright
    COMPONENT ${COMPONENT})
endmacro()

limber_package(library liblimber-dev libdevel "libeigen3-dev (>= 3.4), nlohmann-json3-dev"
"soft bodies in real time: library for C++ and C
The run-time library of limber, shared and static, with its headers and a CMake
package. It loads models that limber wrote and steps soft and rigid bodies in
one world.

Licence: Apache-2.0, with Eigen (MPL-2.0) and JSON for Modern C++ (MIT) compiled
in. Nothing of it is under GPL or AGPL.")
if(TARGET limber_program)
  limber_package(program limber science ""
"turns meshes into soft bodies that run in real time
The program limber with the page of its studio: from a surface or volume mesh to
a model file, simulation, validation, finite elements.

Licence: Apache-2.0, but linked with TetGen (AGPL-3) and CHOLMOD, whose
supernodal part is GPL-2 or later: as a whole under the terms of AGPL-3.")
endif()
if(TARGET limber_python)
  # Another version of Python does not load the module.
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(f'{sys.version_info[0]}.{sys.version_info[1]}')"
    OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "^3\\." "" minor ${python})
  math(EXPR next "${minor} + 1")
  limber_package(python python3-limber python "python3 (>= ${python}), python3 (<< 3.${next}), python3-numpy"
"soft bodies in real time: module for Python
The module limber: builds models of meshes, steps bodies, solves finite elements.

Licence: Apache-2.0, but linked with TetGen (AGPL-3) and CHOLMOD, whose
supernodal part is GPL-2 or later: as a whole under the terms of AGPL-3.")
endif()
include(CPack)
