#include "build/picture/draw.h"
