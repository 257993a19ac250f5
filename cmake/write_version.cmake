# Writes limber/version.h, with the commit where git knows it; the file stays as it is where nothing changed.
#   cmake -DSOURCE=... -DOUT=... -DPROJECT_VERSION=... -P write_version.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE LIMBER_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
string(REPLACE "." ";" numbers ${PROJECT_VERSION})
list(GET numbers 0 PROJECT_VERSION_MAJOR)
list(GET numbers 1 PROJECT_VERSION_MINOR)
list(GET numbers 2 PROJECT_VERSION_PATCH)
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.h.in ${OUT} @ONLY)
