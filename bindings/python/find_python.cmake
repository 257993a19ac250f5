# Python, numpy's own: another interpreter that CMake may find first has no numpy. Sanitized code would need a
# sanitized interpreter. Sets LIMBER_PYTHON_FOUND, and how the libraries are compiled that end up in the module.
set(LIMBER_PYTHON_FOUND OFF)
if(LIMBER_PYTHON AND NOT LIMBER_SANITIZE AND NOT LIMBER_FUZZ)
  set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "the interpreter of the Python module")
  set(PYTHON_EXECUTABLE ${Python3_EXECUTABLE} CACHE FILEPATH "the same, as pybind11 calls it")
  find_package(pybind11 2.10 CONFIG QUIET)
  if(pybind11_FOUND AND EXISTS "${PYTHON_INCLUDE_DIRS}/Python.h")
    set(LIMBER_PYTHON_FOUND ON)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    # Nobody replaces a function of ours at load time: calls within a file may be inlined as ever.
    target_compile_options(limber_options INTERFACE -fno-semantic-interposition)
  else()
    message(STATUS "no pybind11 or no Python.h: the Python module is left out")
  endif()
endif()
