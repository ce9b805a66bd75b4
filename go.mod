module trefoil

go 1.26.0
