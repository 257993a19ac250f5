#include "build/fem/model.h"
