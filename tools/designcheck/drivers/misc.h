// YaneuraOu's table needs nothing of this header.
#pragma once
