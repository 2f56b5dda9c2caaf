unsigned long area(int side);
unsigned long area_calls(void), scale_calls(void);
