#include "build/mesh/select.h"
