* Schematics Aliases *

.ALIASES
X_X1            X1(GND=0 TRIGGER=$N_0001 OUTPUT=$N_0002 RESET=$N_0003
+  CONTROL=$N_0004 VCC=$N_0003 )
I_I1            I1(+=0 -=out )
R_R1            R1(1=out 2=0 )
_    _(VCC=out)
.ENDALIASES

