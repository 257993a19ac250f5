# limber/version.h, written at every build: the commit may have changed since the tree was configured.
set(LIMBER_VERSION_FOLDER ${PROJECT_BINARY_DIR}/include)
add_custom_target(limber_version ALL BYPRODUCTS ${LIMBER_VERSION_FOLDER}/limber/version.h VERBATIM
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${LIMBER_VERSION_FOLDER}/limber/version.h
    -DPROJECT_VERSION=${PROJECT_VERSION} -P ${CMAKE_CURRENT_LIST_DIR}/write_version.cmake
  COMMENT "Which commit this is")
